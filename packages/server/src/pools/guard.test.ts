/** Changes that may cost money need a confirmation, and a pool is saved as a whole (behaviour §3). */
import { activityRoutes } from "@red/contract/rounds/activity";
import type { Envelope } from "@red/contract/platform/envelope";
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import { ownRoutes } from "@red/contract/identity/operators";
import { poolRoutes } from "@red/contract/pools/pool";
import { prizeRoutes } from "@red/contract/pools/prize";
import type { Input, Route } from "@red/contract/platform/route";
import { recordRoutes } from "@red/contract/records/record";
import { CODE_HEADER } from "@red/contract/identity/session";
import { settingRoutes } from "@red/contract/approvals/setting";
import { requestTokenOf, tokenHash } from "#identity/operator-auth";
import { sql } from "kysely";
import { activityBody } from "#test/activity-factory";
import { freshCode } from "#test/contract-world";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import { configOf, redctl } from "#test/redctl";
import { useTestApp } from "#test/test-app";
import { requestOf } from "#test/test-callers";
import { clear, useTestDb } from "#test/test-db";
import { formBody } from "#test/upload";
import { beforeEach, expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);
const pool_name = "活池";
const BIG = { award_name: "大", award_price: 888, weight: 100, award_total: 500, floors: 0 };
const SMALL = { award_name: "小", award_price: 1, weight: 99_900, award_total: 9_000, floors: 0 };
const RISKY = { key: "proof_needed", code: 409 };
const ANYWAY = { key: "proof_needed", data: { needs: { code: true, code_above: null } } };
const DONE = { code: 200 };
let pool = 0;
let big = 0;
let small = 0;

const byConsole = () => ({
  token: requestTokenOf(a.services.secrets, tokenHash(a.token)),
  cookie: `Admin-Token=${a.token}`,
});
async function press<R extends Route>(route: R, input: Input<R>, code?: string): Promise<Envelope> {
  const { payload, ...request } = requestOf(route, input);
  const body = payload === null ? {} : { payload };
  const headers = { ...byConsole(), ...(code !== undefined && { [CODE_HEADER]: code }) };
  return (await a.app.inject({ ...request, headers, ...body })).json<Envelope>();
}
// Each test omits different fields of the rows.
const grid = (rows: object[], more: object = {}) =>
  ({ body: { pool_name, rows, ...more } }) as unknown as Input<typeof poolRoutes.save>;
const save = (rows: object[], more?: object) => press(poolRoutes.save, grid(rows, more));
const heavier = (weight: number, version = 1) => [{ ...BIG, id: big, version, weight }];
const prizes = () => t.db.selectFrom("prize").selectAll().orderBy("id").execute();
const run = async (rounds_status: 0 | 1 = 1) => {
  const { rounds_id, prize_id } = await makeRound(t.db, { pool_id: pool, rounds_status });
  await t.db.deleteFrom("prize").where("id", "=", prize_id).execute();
  return rounds_id;
};

beforeEach(async () => {
  await clear(t.db, "risked", "setting", "login_failure", "activity_rule", "activity");
  await clear(t.db, "prize", "pool_version", "pool");
  const made = await save([BIG, SMALL], { is_new: true });
  pool = (made.data as { id: number }).id;
  [big = 0, small = 0] = (await prizes()).map((prize) => prize.id);
});

test("a weight 100 → 100000 on a running pool is saved with a code only", async () => {
  const round = { rounds_id: await run(), pool_id: pool, prize_id: small };
  await makeRecords(t.db, round, await makePlayer(t.db), [{}, {}]);
  const cost = { cost_before: "1.89", cost_after: "444.72" };
  expect(await save(heavier(100_000))).toMatchObject({
    ...RISKY,
    data: {
      needs: {
        code: true,
        reason: false,
        second: false,
        code_above: "10000.00",
        pools: [{ pool_name, ...cost, draws_hour: 12 }],
      },
    },
  });
  const wrong = await save(heavier(100_000), { code: "000000" });
  expect(wrong).toEqual({ code: 402, msg: "动态验证码错误", data: null });
  const failures = await t.db.selectFrom("login_failure").selectAll().execute();
  expect(failures).toMatchObject([{ name_key: "root-op", address: "127.0.0.1" }]);
  expect((await prizes())[0]).toMatchObject({ weight: 100, version: 1 });
  const code = await freshCode(t.db, a.services.secrets);
  expect(await save(heavier(100_000), { code })).toMatchObject(DONE);
  expect((await prizes())[0]).toMatchObject({ weight: 100_000, version: 2 });
});

test("form, file, removal, stock and a move are asked about while a round is not over", async () => {
  await save([{ ...BIG, award_total: 9_000 }], { pool_name: "富池", is_new: true });
  const body = { ...BIG, pool_name, weight: 100_000, award_price: "888", floors: 0 } as const;
  const bytes = `奖品,奖品额度,权重,奖品总数,是否保底\n大,888,100000,500,否\n`;
  const id = await run();
  const times = { start_time: "2020-01-01 00:00:00", end_time: "2099-01-01 00:00:00" };
  const moved = { params: { id }, body: activityBody({ pool_name: "富池", ...times }) };
  const asks = async () => {
    const form = await formBody({ bytes, fields: { pool_name, token: byConsole().token } });
    const { payload, headers } = { ...form, headers: { ...byConsole(), ...form.headers } };
    const request = { method: "POST", url: prizeRoutes.importFile.path, payload, headers } as const;
    return [
      (await press(prizeRoutes.update, { params: { id: big }, body })).code,
      (await a.app.inject(request)).json<Envelope>().code,
      (await press(prizeRoutes.remove, { params: { id: small } })).code,
      (await press(prizeRoutes.addStock, { params: { id: big }, body: { add: 500 } })).code,
      (await press(activityRoutes.update, moved)).code,
    ];
  };
  expect(await asks()).toEqual([409, 409, 409, 409, 409]);
  await t.db.updateTable("activity").set({ rounds_status: 0 }).execute();
  expect(await asks()).toEqual([409, 409, 409, 409, 409]);
  await t.sql`update activity set start_time = '2099-01-01', end_time = '2099-01-02'`;
  expect(await asks()).toEqual([409, 409, 409, 409, 409]);
  await t.sql`update activity set start_time = '2024-01-01', end_time = now() - interval '1 s'`;
  // A round that opens again can give draws again, so the change needs a confirmation.
  expect(await asks()).toEqual([200, 200, 200, 200, 409]);
});

test("a re-issue and a grant above the sum take a code too, which a header brings", async () => {
  const rounds_id = await run();
  const dear = { award_price_cents: 1_000_001, state: "refused" } as const;
  const player = await makePlayer(t.db);
  const round = { rounds_id, pool_id: pool, prize_id: small };
  const [{ log_id } = { log_id: 0 }] = await makeRecords(t.db, round, player, [dear]);
  const reissue = (code?: string) =>
    press(recordRoutes.reissue, { body: { log_ids: [log_id] } }, code);
  const needs = { code: true, risk: "10000.01", code_above: "10000.00", pools: [] };
  expect(await reissue()).toMatchObject({ ...RISKY, data: { needs } });
  expect(await reissue("000000")).toMatchObject({ code: 402, msg: "动态验证码错误" });
  expect(await reissue(await freshCode(t.db, a.services.secrets))).toMatchObject(DONE);
  await a.call(settingRoutes.save, { params: { key: "guard_sum" }, body: { value: "0.50" } });
  const body = { user_name: player.user_name, tag: "weekend", expire_time: "2049-01-01 00:00:00" };
  expect(await press(extraTimesRoutes.create, { body })).toMatchObject(RISKY);
  expect(await press(ownRoutes.recovery, {}, "abcdefghijkl")).toMatchObject({ code: 402 });
});

test("rounds that share a pool draw from it together, paused ones too", async () => {
  await a.call(settingRoutes.save, { params: { key: "guard_sum" }, body: { value: "12000" } });
  await run();
  expect(await save(heavier(1_000))).toMatchObject(DONE);
  await a.call(poolRoutes.save, grid(heavier(100, 2)));
  await run(0);
  expect(await save(heavier(1_000, 3))).toMatchObject(RISKY);
});

test("programs are asked only where the setting says so", async () => {
  await run();
  const set = (words: string) => redctl(() => configOf(t), `config ${words}`);
  expect(await set("set guard_programs on")).toMatchObject({ code: 0 });
  expect(await a.call(poolRoutes.save, grid(heavier(100_000)))).toMatchObject(RISKY);
  expect(await set("set guard_programs 5")).toMatchObject({ code: 1 });
  expect((await set("list")).out).toMatch(/guard_programs +on/);
  const off = { params: { key: "guard_programs" }, body: { value: "off" } };
  expect(await a.call(settingRoutes.save, off)).toMatchObject(ANYWAY);
  await set("set guard_programs off");
  expect(await a.call(poolRoutes.save, grid(heavier(100_000)))).toMatchObject(DONE);
  const { data } = await a.call(settingRoutes.list, {});
  expect(data).toMatchObject({ content: [{ changed_by: null }, { value: "off" }, {}, {}, {}] });
});

test("weakening the guard from the console needs a code, strengthening it does not", async () => {
  const put = (value: string, code?: string) =>
    press(settingRoutes.save, { params: { key: "guard_sum" }, body: { value } }, code);
  expect(await put("9000")).toMatchObject(DONE);
  expect(await put("9000.01")).toMatchObject(ANYWAY);
  expect(await put("9000.01", "000000")).toMatchObject({ code: 402, msg: "动态验证码错误" });
  expect(await put("1,5")).toMatchObject({ key: "setting_wrong" });
  expect(await put("12000", await freshCode(t.db, a.services.secrets))).toMatchObject(DONE);
  expect(await put("12000.0")).toMatchObject({ ...DONE, data: { value: "12000.00" } });
  const { data } = await a.call(settingRoutes.list, {});
  const sum = { value: "12000.00", changed_by: "root-op", changed_from: "9000.00" };
  expect(data).toMatchObject({ content: [sum, { changed_from: null }, {}, {}, {}] });
  expect(await put("off")).toMatchObject(ANYWAY);
  expect(await put("off", await freshCode(t.db, a.services.secrets))).toMatchObject(DONE);
  await run();
  expect(await save(heavier(100_000))).toMatchObject(DONE);
  const waive = { params: { key: "guard_programs" }, body: { value: "off" } };
  await redctl(() => configOf(t), "config set guard_programs on");
  expect(await press(settingRoutes.save, waive)).toMatchObject(ANYWAY);
  expect(await put("0.50")).toMatchObject(DONE);
});

test("a grid takes new, changed and removed prizes at once; names may change places", async () => {
  const [one, two] = [
    { ...SMALL, id: big, version: 1 },
    { ...BIG, id: small, version: 1 },
  ];
  expect(await save([one, two])).toMatchObject({ ...DONE, data: { updated: 2 } });
  const removed = [{ id: small, version: 2 }];
  const counts = { added: 1, updated: 0, removed: 1 };
  expect(await save([BIG], { removed })).toMatchObject({ ...DONE, data: counts });
  expect(await save([BIG], { removed })).toMatchObject({ key: "pool_save_conflict" });
  expect((await prizes()).map((prize) => prize.deleted_at === null)).toEqual([true, false, true]);
});

test("a grid with a fault saves nothing and names row and field", async () => {
  await sql`update prize set drawn = 7`.execute(t.db);
  const errors = [{ field: "rows.0.award_total" }, { field: "rows.1.award_name" }];
  const low = await save([{ ...BIG, id: big, version: 1, award_total: 6 }, SMALL]);
  expect(low).toMatchObject({ code: 400, data: { errors } });
  expect(await save([], { is_new: true })).toMatchObject({ key: "pool_name_taken" });
  expect(await save([], { pool_name: "无" })).toMatchObject({ key: "pool_not_found" });
  expect(await prizes()).toMatchObject([{ version: 1 }, { version: 1 }]);
});
