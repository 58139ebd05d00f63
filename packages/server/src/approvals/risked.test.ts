/** Splitting a change does not help: everything that a person risked in the last 24 hours counts (behaviour §16). */
import { approvalRoutes } from "@red/contract/approvals/approval";
import type { Needs } from "@red/contract/approvals/guard";
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import { AppError } from "@red/contract/platform/errors";
import { prizeRoutes } from "@red/contract/pools/prize";
import { settingRoutes } from "@red/contract/approvals/setting";
import type { BandKey } from "@red/contract/approvals/setting";
import { neverHeld, noRisk, riskOfPayouts } from "@red/engine/risk";
import type { Risk } from "@red/engine/risk";
import { sql } from "kysely";
import { insertAudit } from "#platform/audit";
import { inTransaction } from "#platform/db/connection";
import type { Tx } from "#platform/db/connection";
import type { AnyOutcome } from "#platform/handlers";
import { freshCode, makeWorld, openSession, setBand } from "#test/contract-world";
import type { World } from "#test/contract-world";
import { makeOperator } from "#test/factories";
import { operatorId, TEST_ACTOR } from "#test/operator-factory";
import { hold, meet, outcomeOf } from "#test/races";
import { changeRows, rowsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { clear, useTestDb } from "#test/test-db";
import { trimApprovals } from "./approval-sql.ts";
import { lockRisked } from "./risked-sql.ts";
import { runChange } from "./run-change.ts";
import { beforeAll, beforeEach, expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);
const THOUSAND = 100_000;

interface Way {
  /** Null: redctl. */
  readonly by?: string | null;
  readonly code?: string;
  readonly reason?: string;
  readonly program?: boolean;
  readonly act?: () => Promise<AnyOutcome>;
}

/** Runs a change. Returns `done`, `waits`, the error of the code, the error key, or the missing proofs. */
async function change(tx: Tx, risk: Risk | number, way: Way = {}): Promise<unknown> {
  const { by = "root-op", code, reason = null, program = false } = way;
  const who = by === null ? null : { id: await operatorId(tx, by), name: by };
  const rights = { roles: [], permissions: [], token_hash: Buffer.alloc(0) };
  const actor = { ...TEST_ACTOR, request_id: "r", reason };
  const call = {
    operator: who && { ...who, ...rights, by_console: !program },
    actor,
    services: a.services,
    request: { ip: "10.0.0.9" },
    ...(code !== undefined && { code }),
  };
  const act = async () => {
    await insertAudit(tx, actor, { action: "delete_prize", object_type: "prize", object_id: 1 });
    const valued = typeof risk === "number" ? riskOfPayouts(risk * THOUSAND) : risk;
    return { data: "done", risk: valued };
  };
  const answered = await runChange(tx, prizeRoutes.remove, call, way.act ?? act);
  return "waits" in answered ? "waits" : (Object.values(answered)[0] as unknown);
}

const needsOf = (came: unknown) =>
  came instanceof AppError ? (came.data as { needs: Needs }).needs : came;

/** Runs a change in its own transaction; `risk` is in thousands. */
const press = async (risk: Risk | number, way?: Way) =>
  needsOf(await outcomeOf(inTransaction(t.db, (tx) => change(tx, risk, way))));

const coded = async () => ({ code: await freshCode(t.db, a.services.secrets) });

/** Returns the amounts risked without a code, without a reason and without a second person, in thousands. */
async function sums(by: string | null = "root-op"): Promise<number[]> {
  const id = by === null ? null : await operatorId(t.db, by);
  const { code, reason, second } = await inTransaction(t.db, (tx) => lockRisked(tx, id));
  return [code, reason, second].map((cents) => cents / THOUSAND);
}

const age = (time: string) =>
  changeRows(t.db, "risked", {}, { at: sql.raw<Date>(`now() - interval '${time}'`) });

/** Returns how often the threshold would have required a proof. */
const times = async (key: BandKey, value: string) =>
  (await a.read(settingRoutes.asked, { query: { key, value } })).times;

let world: World;

/** Makes a waiting grant by root-op and returns its id. */
async function askGrant(): Promise<number> {
  await setBand(t.db, "0.00");
  const names = { user_names: [world.player.user_name], tag: "weekend" };
  const body = { ...names, expire_time: "2049-01-01 00:00:00" };
  const asked = await a.call(extraTimesRoutes.grant, { body }, { "x-reason": "why" });
  expect(asked).toMatchObject({ key: "approval_waits" });
  return Math.max(...(await rowsOf(t.db, "approval")).map(({ id }) => id));
}

async function approve(id: number): Promise<void> {
  const token = await openSession(t.db, "second-op");
  const code = await freshCode(t.db, a.services.secrets, "second-op");
  const approved = await a.call(approvalRoutes.approve, { body: { ids: [id] }, code }, { token });
  expect(approved).toMatchObject({ data: { results: [{ state: "done" }] } });
}

beforeAll(async () => {
  world = await makeWorld(t.db, a.services.secrets);
  await makeOperator(t.db, "second-op");
  await coded();
});

beforeEach(async () => clear(t.db, "risked", "approval", "setting", "login_failure"));

test.each([
  ["code", 10, {}, { code: true, reason: false, risked: "10000.00", code_above: "10000.00" }],
  ["reason", 9, {}, { code: false, reason: true, risked: "9000.00", code_above: null }],
  ["second", 9, { reason: "why" }, "waits"],
] as const)(
  "12 changes of 1,000.00 are asked for a %s when they reach 10,000.00 together",
  async (rung, free, way, asked) => {
    await (rung !== "code" && setBand(t.db, "10000.00", `band_${rung}`));
    const came = [];
    for (let turn = 0; turn < 12; turn += 1) {
      came.push(await press(1, way));
    }
    const told = typeof asked === "string" ? asked : { ...asked, risk: "1000.00" };
    expect(came.slice(0, free)).toEqual(Array.from({ length: free }, () => "done"));
    for (const late of came.slice(free)) {
      expect([late]).toMatchObject([told]);
    }
  },
);

test.each([
  ["nothing", 0.1, false, null, [7.1, 7.1, 7.1]],
  ["a code", 0.1, true, null, [0, 7.1, 7.1]],
  ["a reason", 0.1, false, "why", [7.1, 0, 7.1]],
  ["a code and a reason", 0.1, true, "why", [0, 0, 7.1]],
  ["a code for what costs nothing", 0, true, null, [0, 7, 7]],
  [
    "what stands in the form",
    { ...riskOfPayouts(20 * THOUSAND), code_cents: 0 },
    false,
    null,
    [7, 27, 27],
  ],
  ["a code where nothing is counted", neverHeld(""), true, null, [7, 7, 7]],
] as const)("7,000.00 and then %s", async (_, risk, isCoded, reason, left) => {
  await press(7);
  const way = { ...(isCoded && (await coded())), ...(reason !== null && { reason }) };
  expect(await press(risk, way)).toBe("done");
  expect(await sums()).toEqual(left);
  await press(1);
  expect(await sums()).toEqual(left.map((sum) => sum + 1));
});

test("an approval sets all three sums of the maker to 0, and adds nothing itself", async () => {
  await press(7);
  await press(3, { by: "second-op" });
  const id = await askGrant();
  expect(await sums()).toEqual([7, 7, 7]);
  await approve(id);
  expect([await sums(), await sums("second-op")]).toEqual([
    [0, 0, 0],
    [3, 3, 3],
  ]);
});

test("the approver sees what else the maker risked since an approval, and their other waiting changes", async () => {
  const token = await openSession(t.db, "second-op");
  const told = async () => {
    const { content } = await a.read(approvalRoutes.list, { query: { size: 9 } }, { token });
    return content.map(({ risked, state }) => `${state} ${risked}`);
  };
  const ask = async (thousands: number, by: string | null = "root-op") =>
    expect(await press(thousands, { by, reason: "why" })).toBe("waits");
  await press(2);
  await press(1, { by: "second-op" });
  await press(2.5, { by: null });
  await setBand(t.db, "3000.00");
  await ask(4);
  await ask(5);
  await ask(6, null);
  expect(await told()).toEqual(["waiting 2500.00", "waiting 6000.00", "waiting 7000.00"]);
  const over = { expires_at: sql<Date>`now() - interval '1 second'` };
  await changeRows(t.db, "approval", { risk_cents: 5 * THOUSAND }, over);
  const later = ["waiting 2500.00", "expired null"];
  expect(await told()).toEqual([...later, "waiting 2000.00"]);
  await approve(await askGrant());
  await setBand(t.db, "off");
  await press(1);
  expect(await told()).toEqual(["done null", ...later, "waiting 1000.00"]);
});

test("after 24 hours nothing counts, and after 28 days the rows are deleted", async () => {
  const trim = async () => (await trimApprovals(t.db, new AbortController().signal)).forgotten;
  await press(7);
  await age("24 hours -1 minute");
  expect([await trim(), await sums()]).toEqual([0, [7, 7, 7]]);
  await age("24 hours");
  expect([await sums(), await press(8)]).toEqual([[0, 0, 0], "done"]);
  expect([await trim(), await sums()]).toEqual([0, [8, 8, 8]]);
  await age("28 days -1 minute");
  expect([await trim(), await times("band_second", "8000.00")]).toEqual([0, 1]);
  await age("28 days");
  expect([await times("band_second", "8000.00"), await trim()]).toEqual([0, 2]);
});

test("a sum would have asked where one person's changes of 24 hours reach it", async () => {
  await press(6);
  await press(6, { by: "second-op" });
  await age("24 hours");
  await press(4);
  expect(await times("band_reason", "10000.00")).toBe(0);
  await age("23 hours 59 minutes");
  await press(3, { by: "second-op", program: true });
  const asked = ["10000", "9999.99", "9000.00", "off"].map(async (value) => [
    await times("guard_sum", value),
    await times("band_reason", value),
    await times("band_second", value),
  ]);
  // A code is required above its threshold, and changes by programs do not count towards it.
  expect(await Promise.all(asked)).toEqual([
    [0, 1, 1],
    [1, 1, 1],
    [1, 2, 2],
    [0, 0, 0],
  ]);
});

test.each(["guard_sum", "band_reason"] as const)(
  "%s would have asked as often as it did",
  async (key) => {
    await (key === "guard_sum" || setBand(t.db, "10000.00", key));
    let asked = 0;
    for (const [risk, by] of [6, 4, 0.5, 0, 12, 3, 7, 5].flatMap((one) => [
      [one, "root-op"] as const,
      [one + 1, "second-op"] as const,
    ])) {
      if ((await press(risk, { by })) !== "done") {
        asked += 1;
        const proof = { code: await freshCode(t.db, a.services.secrets, by), reason: "why" };
        expect(await press(risk, { by, ...proof })).toBe("done");
      }
    }
    expect([asked > 4, await times(key, "10000.00")]).toEqual([true, asked]);
  },
);

test.each([
  ["goods_value", "1.00", "key"],
  ["guard_programs", "off", "key"],
  ["none", "1.00", "key"],
  ["guard_sum", "on", "value"],
  ["guard_sum", "1.001", "value"],
  ["guard_sum", "", "value"],
])("of %s and %s nothing is counted", async (key, value, field) => {
  const input = { query: { key: key as BandKey, value } };
  const refused = await a.call(settingRoutes.asked, input);
  expect(refused).toMatchObject({ code: 400, key: "bad_input", data: { errors: [{ field }] } });
});

test("of two parallel tabs one passes; a change without cost does not wait", async () => {
  const tab = (tx: Tx) => change(tx, 6);
  expect(needsOf(await meet(t.db, tab, tab))).toMatchObject({ code: true, risked: "6000.00" });
  const held = await hold(t.db, (tx) => change(tx, 1));
  expect(await press(noRisk(""))).toBe("done");
  await held.commit();
  expect(await sums()).toEqual([7, 7, 7]);
});

test("a change does not wait for one that began with a code, nor lock it out", async () => {
  const act = async () => ({ data: await press(6), risk: riskOfPayouts(THOUSAND) });
  expect(await press(0, { act, ...(await coded()) })).toBe("done");
  expect(await sums()).toEqual([0, 7, 7]);
});

test("redctl and each operator are one person each; a program's risks count, except for the code", async () => {
  await setBand(t.db, "10000.00", "band_reason");
  expect([
    await press(6, { by: null }),
    await press(6),
    await press(6, { by: "second-op" }),
  ]).toEqual(["done", "done", "done"]);
  const asked = { reason: true, risked: "6000.00" };
  expect(await press(6, { by: null })).toMatchObject({ ...asked, code: false });
  expect(await press(6)).toMatchObject({ ...asked, code: true });
  const program = { by: "second-op", program: true };
  expect(await press(6, program)).toMatchObject({ ...asked, code: false });
  expect(await press(6, { ...program, reason: "why" })).toBe("done");
  expect(await sums("second-op")).toEqual([6, 0, 12]);
  expect(await press(5, { by: "second-op" })).toMatchObject({ code: true, risked: "6000.00" });
});

test("changes that are refused, undone, waiting or never held add nothing", async () => {
  await setBand(t.db, "10000.00");
  const refused = { refused: "record_not_found", msg: "record_not_found", data: null } as const;
  expect([
    await press(11, { reason: "why" }),
    await press(11, { reason: "why", code: "000000" }),
    await press(10, { reason: "why" }),
    await press(6, { act: () => Promise.resolve(refused) }),
    await press(neverHeld("")),
    await press(noRisk("")),
  ]).toMatchObject([{ code: true }, "code_wrong", "waits", refused.refused, "done", "done"]);
  expect(await rowsOf(t.db, "risked")).toEqual([]);
});
