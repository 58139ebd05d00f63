/**
 * With the threshold 0, every write waits for a second person, except the listed writes. After approval, a
 * write has the same effect as without waiting.
 */
import { approvalRoutes } from "@red/contract/approvals/approval";
import type { AppError } from "@red/contract/platform/errors";
import { prizeRoutes } from "@red/contract/pools/prize";
import { stopSwitchRoutes } from "@red/contract/stops/stop-switch";
import { aboveAnySum, noRisk } from "@red/engine/risk";
import { inTransaction } from "#platform/db/connection";
import type { Tx } from "#platform/db/connection";
import { hashOfAll } from "#test/contract-hash";
import { freshCode, makeWorld, openSession, setBand } from "#test/contract-world";
import type { World } from "#test/contract-world";
import { everyWrite, isTaken, sendWrite } from "#test/contract-writes";
import { makeOperator } from "#test/factories";
import { operatorId, TEST_ACTOR } from "#test/operator-factory";
import { hold, untilWaiting } from "#test/races";
import { rowsOf } from "#test/rows";
import { until } from "#test/payout-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { runChange } from "./run-change.ts";
import { beforeAll, beforeEach, expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);
/** Writes that never wait for a second person. */
const NEVER_HELD = new Set([
  "PUT /gred/api/own/password",
  "POST /gred/api/own/authenticator",
  "POST /gred/api/own/recovery",
  "PUT /gred/api/key/{key}/retire",
  "POST /gred/api/act/{id}/sheet/sign",
  "POST /gred/api/month/sign",
  "PUT /gred/api/act/pause/{id}",
]);
const REASON = { "x-reason": encodeURIComponent("为活动") };

let world: World;
let second: string;

async function approve(ids: readonly number[], token = second, name = "second-op") {
  const { method, path } = approvalRoutes.approve;
  const code = await freshCode(t.db, a.services.secrets, name);
  const answer = await a.app.inject({
    method,
    url: path,
    headers: { token },
    payload: { ids, code },
  });
  return answer.json<{
    code: number;
    data: { results: { state: string; note: string | null }[] };
  }>();
}

beforeAll(async () => {
  world = await makeWorld(t.db, a.services.secrets);
  await makeOperator(t.db, "second-op");
  second = await openSession(t.db, "second-op");
  await freshCode(t.db, a.services.secrets);
});

beforeEach(async () => {
  // An earlier export writes its file in the background, and its row meanwhile.
  const open = t.db
    .selectFrom("job")
    .select("id")
    .where("kind", "=", "export")
    .where("ended_at", "is", null);
  await until("exports ended", async () => (await open.execute()).length === 0);
  await t.db.deleteFrom("stop_switch").execute();
  await setBand(t.db, "0.00");
  await setBand(t.db, "off", "band_reason");
});

const writes = everyWrite().filter(({ route }) => route.auth.by === "operator");

test.each(writes)(
  "$name waits, and runs as it would have run, or is an exception",
  async (write) => {
    const parts = await write.fixture.valid(world);
    // Using a code updates the operator row, even if the change waits.
    const except = ["approval", ...(parts.body?.["code"] === undefined ? [] : ["operator"])];
    const before = await hashOfAll(t.db, false, except);
    // The first call of a session updates the session row.
    const all = await hashOfAll(t.db, false, ["session"]);
    const { proof } = write.route;
    const previewed = await sendWrite(a, world, write, parts, { ...REASON, "x-preview": "1" });
    const hasPreview = proof === "risk";
    expect(previewed.json()).toMatchObject({ key: hasPreview ? "only_valued" : "bad_input" });
    expect(await hashOfAll(t.db, false, ["session"])).toBe(all);
    const had = new Set((await rowsOf(t.db, "approval")).map((row) => row.id));
    const answer = await sendWrite(a, world, write, parts, REASON);
    const waiting = (await rowsOf(t.db, "approval")).filter((row) => !had.has(row.id));
    if (typeof proof !== "string" || proof === "first" || NEVER_HELD.has(write.name)) {
      expect(isTaken(write, answer), answer.body).toBe(true);
      expect(waiting).toEqual([]);
      return;
    }
    expect(answer.json(), answer.body).toMatchObject({
      code: 202,
      msg: "已提交，待他人审批",
      key: "approval_waits",
      data: null,
    });
    expect(waiting).toMatchObject([{ made_by: "root-op", state: "waiting", reason: "为活动" }]);
    expect(await hashOfAll(t.db, false, except)).toBe(before);
    for (const secret of [a.token, parts.body?.["code"] ?? a.token]) {
      expect(JSON.stringify(waiting)).not.toContain(secret);
    }
    const id = waiting[0]?.id ?? 0;
    const listed = await a.read(approvalRoutes.list, { query: { page: 1, size: 1 } });
    const plan = listed.content[0]?.plan ?? [];
    expect(JSON.stringify(plan)).toContain(parts.body?.["user_name"] ?? "");
    expect(plan.filter((one) => one.before?.["id"] && one.after && !one.after["id"])).toEqual([]);
    const done = await approve([id]);
    expect(done.data.results).toMatchObject([{ id, state: "done", note: null }]);
    expect(await rowsOf(t.db, "approval", { id })).toMatchObject([{ input: {}, file: null }]);
    const trace = "none" in write.fixture.trace ? {} : { action: write.fixture.trace.action };
    expect(await rowsOf(t.db, "audit_log", trace)).not.toEqual([]);
    expect((await approve([id])).data.results).toMatchObject([
      { state: "done", note: "这项修改已处理" },
    ]);
  },
);

/** Makes a call by root-op at the console. */
async function calling(code?: string) {
  const operator = {
    id: await operatorId(t.db, "root-op"),
    name: "root-op",
    roles: [],
    permissions: [],
    token_hash: Buffer.alloc(0),
    by_console: true,
  } as const;
  const from = { services: a.services, request: { ip: "10.0.0.9" } };
  return { operator, actor: TEST_ACTOR, ...from, ...(code !== undefined && { code }) };
}

test("a call runs the act once, whatever proof is missing", async () => {
  await setBand(t.db, "off");
  const seen = [];
  for (const code of [undefined, "000000", await freshCode(t.db, a.services.secrets)]) {
    let runs = 0;
    const act = async () => {
      runs += 1;
      return await Promise.resolve({ data: "done", risk: aboveAnySum("") });
    };
    const call = await calling(code);
    const change = inTransaction(t.db, (tx) =>
      runChange(tx, stopSwitchRoutes.startDraws, call, act),
    );
    seen.push([await change.catch((fault: AppError) => fault.key), runs]);
  }
  const done = expect.objectContaining({ data: "done" });
  expect(seen).toEqual([
    ["proof_needed", 1],
    [{ needs: "code_wrong" }, 1],
    [done, 1],
  ]);
});

test("a wrong code counts before the next code of the account is judged", async () => {
  await setBand(t.db, "off");
  const call = await calling("000000");
  const guess = (tx: Tx) =>
    runChange(tx, prizeRoutes.remove, call, async () => ({
      data: null,
      risk: await Promise.resolve(noRisk("")),
    }));
  const before = (await rowsOf(t.db, "login_failure", { address: "10.0.0.9" })).length;
  const held = await hold(t.db, guess);
  const next = inTransaction(t.db, guess);
  await untilWaiting(t.db);
  await held.commit();
  expect([held.result, await next]).toEqual([{ needs: "code_wrong" }, { needs: "code_wrong" }]);
  expect(await rowsOf(t.db, "login_failure", { address: "10.0.0.9" })).toHaveLength(before + 2);
});
