/** Live money changes are asked about, pools saved as a whole, versions brought back (behaviour §3). */
import type { Envelope } from "@red/contract/envelope";
import { poolRoutes } from "@red/contract/pool";
import type { PoolVersion } from "@red/contract/pool";
import { prizeRoutes } from "@red/contract/prize";
import type { Input, Route } from "@red/contract/route";
import { TOKEN_COOKIE } from "@red/contract/session";
import { settingRoutes } from "@red/contract/setting";
import { requestTokenOf, tokenHash } from "#identity/operator-auth";
import { activityRoutes } from "@red/contract/activity";
import { sql } from "kysely";
import { activityBody, OPERATOR } from "#test/activity-factory";
import { freshCode } from "#test/contract-world";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import { meet } from "#test/races";
import { configOf, redctl } from "#test/redctl";
import { useTestApp } from "#test/test-app";
import { requestOf } from "#test/test-callers";
import { clear, useTestDb } from "#test/test-db";
import { formBody } from "#test/upload";
import { savePool } from "./save-pool.ts";
import { beforeEach, describe, expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);
const pool_name = "活池";
const row = { award_price: "888.00", weight: 100, award_total: 500, floors: 0 } as const;
const BIG = { ...row, award_name: "大奖" };
const SMALL = {
  ...row,
  award_name: "小奖",
  award_price: "1.00",
  weight: 99_900,
  award_total: 9_000,
};
let pool = 0;
let ids: number[] = [];

/** As the console calls: the cookie, and the request token that belongs to it. */
async function consoleHeaders() {
  const token = requestTokenOf(a.services.secrets, tokenHash(a.token));
  return { token, cookie: `${TOKEN_COOKIE}=${a.token}` };
}
async function press<R extends Route>(route: R, input: Input<R>): Promise<Envelope> {
  const { payload, ...request } = requestOf(route, input);
  const headers = await consoleHeaders();
  const body = payload === null ? {} : { payload };
  return (await a.app.inject({ ...request, headers, ...body })).json<Envelope>();
}

const grid = (rows: object[], more: object = {}) =>
  ({ body: { pool_name, rows, ...more } }) as unknown as Input<typeof poolRoutes.save>;
const slip = (code?: string) =>
  press(poolRoutes.save, grid([{ ...BIG, id: ids[0], version: 1, weight: 100_000 }], { code }));
const prizes = () =>
  t.db.selectFrom("prize").selectAll().where("pool_id", "=", pool).orderBy("id").execute();
const weights = async () => (await prizes()).map((prize) => prize.weight);
const versions = async () => {
  const { data } = await a.call(poolRoutes.versions, { params: { id: pool }, query: {} });
  // The application checks it against the contract.
  return (data as { content: PoolVersion[] }).content;
};

beforeEach(async () => {
  await clear(t.db, "setting", "login_failure", "activity", "prize", "pool_version", "pool");
  await clear(t.db, "audit_log");
  const { data } = await press(poolRoutes.save, grid([BIG, SMALL], { is_new: true }));
  pool = (data as { id: number }).id;
  ids = (await prizes()).map((prize) => prize.id);
});

/** Rounds on the pool, without the prize that the factory adds. */
async function run(...status: (0 | 1)[]): Promise<number[]> {
  const rounds: number[] = [];
  for (const rounds_status of status) {
    const { rounds_id, prize_id } = await makeRound(t.db, { pool_id: pool, rounds_status });
    await t.db.deleteFrom("prize").where("id", "=", prize_id).execute();
    rounds.push(rounds_id);
  }
  return rounds;
}

describe("a weight 100 → 100000 on a running pool", () => {
  test("is not saved without a code, says what it may cost, and is saved with it", async () => {
    const [rounds_id = 0] = await run(1);
    const player = await makePlayer(t.db);
    await makeRecords(t.db, { rounds_id, pool_id: pool, prize_id: ids[1] ?? 0 }, player, [{}, {}]);
    expect(await slip()).toMatchObject({
      code: 409,
      key: "risk_confirm",
      data: {
        guard_sum: "10000.00",
        pools: [{ pool_name, cost_before: "1.89", cost_after: "444.72", draws_hour: 2 }],
      },
    });
    expect(await slip("000000")).toMatchObject({ code: 402, msg: "动态验证码错误", data: null });
    expect(await weights()).toEqual([100, 99_900]);
    expect(await versions()).toHaveLength(1);
    expect(await t.db.selectFrom("login_failure").selectAll().execute()).toHaveLength(1);
    expect(await slip(await freshCode(t.db, a.services.secrets))).toMatchObject({ code: 200 });
    expect(await weights()).toEqual([100_000, 99_900]);
  });

  test("is asked about in a form, a file and a removal, not where no round runs", async () => {
    await run(0);
    const { award_name, ...values } = BIG;
    const heavy = { pool_name, award_name, ...values, weight: 100_000 };
    const asks = async () => [
      (await press(prizeRoutes.update, { params: { id: ids[0] ?? 0 }, body: heavy })).code,
      (await press(prizeRoutes.remove, { params: { id: ids[1] ?? 0 }, body: {} })).code,
    ];
    await run(1);
    expect(await asks()).toEqual([409, 409]);
    const { token, cookie } = await consoleHeaders();
    const bytes = `奖池,奖品,奖品额度,权重,奖品总数,是否保底\n${pool_name},大奖,888,100000,500,否\n`;
    const form = await formBody({ bytes, fields: { token } });
    const headers = { ...form.headers, token, cookie };
    const { method, path: url } = prizeRoutes.importFile;
    const sent = await a.app.inject({ method, url, headers, payload: form.payload });
    expect(sent.json()).toMatchObject({ key: "risk_confirm" });
    const more = { params: { id: ids[0] ?? 0 }, body: { add: 500 } };
    expect(await press(prizeRoutes.addStock, more)).toMatchObject({ code: 200 });
    await t.db.updateTable("activity").set({ rounds_status: 0 }).execute();
    expect(await asks()).toEqual([200, 200]);
  });

  test("of a program is asked about only where the setting says so", async () => {
    await run(1);
    const saved = { ...BIG, id: ids[0], version: 1, weight: 100_000 };
    await redctl(() => configOf(t), "config set guard_programs on");
    expect(await a.call(poolRoutes.save, grid([saved]))).toMatchObject({ key: "risk_confirm" });
    await redctl(() => configOf(t), "config set guard_programs off");
    expect(await a.call(poolRoutes.save, grid([saved]))).toMatchObject({ code: 200 });
  });
});

test("two running rounds on a pool draw twice as much", async () => {
  const heavier = [{ ...BIG, id: ids[0], version: 1, weight: 1_000 }];
  await press(settingRoutes.save, { params: { key: "guard_sum" }, body: { value: "12000" } });
  await run(1, 0);
  expect(await press(poolRoutes.save, grid(heavier))).toMatchObject({ code: 200 });
  await run(1);
  const back = await press(poolRoutes.restore, { params: { id: pool }, body: { version: 1 } });
  expect(back).toMatchObject({ code: 200, data: { version: 3 } });
  const again = grid([{ ...BIG, id: ids[0], version: 3, weight: 1_000 }]);
  expect(await press(poolRoutes.save, again)).toMatchObject({ key: "risk_confirm" });
});

test("a running round that moves to another pool is asked about", async () => {
  const [id = 0] = await run(1);
  const rich = grid([{ ...BIG, award_total: 9_000 }], { pool_name: "富池", is_new: true });
  await press(poolRoutes.save, rich);
  const body = activityBody({
    pool_name: "富池",
    start_time: "2020-01-01 00:00:00",
    end_time: "2099-01-01 00:00:00",
  });
  const moved = await press(activityRoutes.update, { params: { id }, body });
  expect(moved).toMatchObject({ key: "risk_confirm", data: { pools: [{ cost_after: "888.00" }] } });
});

describe("a pool saved as a grid", () => {
  test("takes new, changed and removed prizes at once; names may change places", async () => {
    const swapped = ids.map((id, at) => ({ ...[SMALL, BIG][at], id, version: 1 }));
    expect(await press(poolRoutes.save, grid(swapped))).toMatchObject({ data: { updated: 2 } });
    const removed = [{ id: ids[1], version: 2 }];
    const added = await press(poolRoutes.save, grid([{ ...row, award_name: "新" }], { removed }));
    expect(added).toMatchObject({ code: 200, data: { added: 1, updated: 0, removed: 1 } });
    expect(await versions()).toMatchObject([
      { version: 3, saved_by: "root-op", changes: [{ change: "added" }, { change: "removed" }] },
      {
        version: 2,
        changes: [
          { change: "changed", fields: ["award_name", "award_price", "weight", "award_total"] },
          {},
        ],
      },
      { version: 1, changes: [{ change: "added", award_name: "大奖", fields: [] }, {}] },
    ]);
  });

  test("with a fault saves nothing and names row and field", async () => {
    await sql`update prize set drawn = 7`.execute(t.db);
    const low = { ...BIG, id: ids[0], version: 1, award_total: 6 };
    const answer = await press(poolRoutes.save, grid([low, { ...row, award_name: "小奖" }]));
    const fields = ["rows.0.award_total", "rows.1.award_name"].map((field) => ({ field }));
    expect(answer).toMatchObject({ code: 400, data: { errors: fields } });
    expect(await press(poolRoutes.save, grid([], { is_new: true }))).toMatchObject({
      key: "pool_name_taken",
    });
    expect(await press(poolRoutes.save, grid([], { pool_name: "无" }))).toMatchObject({
      key: "pool_not_found",
    });
    expect(await versions()).toHaveLength(1);
  });

  test("saved by two at once is refused to the second, with the row named", async () => {
    const save = (weight: number) => (tx: Parameters<typeof savePool>[0]) =>
      savePool(
        tx,
        OPERATOR,
        { pool_name, rows: [{ ...BIG, award_price: 88_800, id: ids[0], version: 1, weight }] },
        "en",
      );
    expect(await meet(t.db, save(1), save(2))).toMatchObject({
      key: "pool_save_conflict",
      data: { errors: [{ field: "rows.0.version" }] },
    });
    expect(await weights()).toEqual([1, 99_900]);
  });
});

test("a former version comes back: deleted prizes too, later ones go, drawn ones stay counted", async () => {
  const [one = 0, two = 0] = ids;
  await sql`update prize set drawn = 600, award_total = 600 where id = ${one}`.execute(t.db);
  const rows = [{ ...row, award_name: "后来" }];
  await a.call(poolRoutes.save, grid(rows, { removed: [{ id: two, version: 1 }] }));
  const body = { version: 1, current: 1 };
  expect(await press(poolRoutes.restore, { params: { id: pool }, body })).toMatchObject({
    key: "stale_version",
  });
  const back = await press(poolRoutes.restore, {
    params: { id: pool },
    body: { ...body, current: 2 },
  });
  expect(back).toMatchObject({ code: 200, data: { version: 3 } });
  expect(await prizes()).toMatchObject([
    { id: one, award_total: 600, drawn: 600, deleted_at: null },
    { id: two, award_name: "小奖", deleted_at: null },
    { award_name: "后来", deleted_at: expect.any(Date) },
  ]);
  expect(
    await press(poolRoutes.restore, { params: { id: pool }, body: { version: 9 } }),
  ).toMatchObject({ key: "pool_version_not_found" });
});

test("a setting takes its own kind of value and shows who changed it", async () => {
  const save = (value: string) =>
    press(settingRoutes.save, { params: { key: "guard_sum" }, body: { value } });
  expect(await save("off")).toMatchObject({ key: "setting_wrong" });
  expect(await save("5")).toMatchObject({ data: { value: "5.00" } });
  expect(await a.call(settingRoutes.list, {})).toMatchObject({
    data: {
      content: [
        { value: "5.00", changed_by: "root-op" },
        { value: "off", changed_by: null },
      ],
    },
  });
  expect((await redctl(() => configOf(t), "config list")).out).toContain("guard_sum");
  expect(await redctl(() => configOf(t), "config set other 1")).toMatchObject({ code: 1 });
});
