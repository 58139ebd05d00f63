/**
 * Tests the routes by which operators change payouts (behaviour §6, §11): every state, many records at once, and
 * two parallel calls.
 */
import { PAYOUT_STATES } from "@red/contract/platform/codes";
import type { PayoutState } from "@red/contract/platform/codes";
import { recordRoutes } from "@red/contract/records/record";
import { closeRecords, reissueRecords } from "./change-records.ts";
import { inTransaction } from "#platform/db/connection";
import { OPERATOR } from "#test/activity-factory";
import { makeRecord } from "#test/factories";
import type { MadeRecord } from "#test/factories";
import { useFaultWallet } from "#test/fault-wallet";
import {
  attemptsOf,
  moneyFaults,
  startTestWorker,
  statesOf,
  untilStates,
  payoutOf,
  makeMany,
  putOffPayouts,
  setPayout,
} from "#test/payout-factory";
import { hold, untilWaiting } from "#test/races";
import { auditsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeEach, describe, expect, it } from "vitest";

const t = useTestDb();
const app = useTestApp(t);
const wallet = useFaultWallet();

const DAY_MS = 86_400_000;
const RETENTION_MS = 120 * DAY_MS;

type ActName = "reissue" | "ask" | "deliver" | "close";

/**
 * Columns: route, allowed states, new state, counter field, message on success, message if no record changed,
 * reason for each unchanged record.
 */
const ACTS = [
  ["reissue", ["refused"], "queued", "reissued", "补发成功", "补发失败", "只能补发失败的记录"],
  [
    "ask",
    ["check"],
    "unknown",
    "asked",
    "已重新向钱包查询",
    "查询失败",
    "只能查询待人工核对的记录",
  ],
  [
    "deliver",
    ["waiting_delivery"],
    "delivered",
    "delivered",
    "已标记发货",
    "标记发货失败",
    "只能标记待发货的实物记录",
  ],
  [
    "close",
    ["check", "refused"],
    "closed",
    "closed",
    "关闭成功",
    "关闭失败",
    "只能关闭发放失败或待人工核对的记录",
  ],
] as const;

type Ids = string | readonly (number | string)[];

async function call(name: ActName, ids: Ids, words: object = {}) {
  // The route accepts an array or a comma-separated list.
  const log_ids = ids as number[];
  return name === "close"
    ? await app.call(recordRoutes.close, { body: { log_ids, reason: "account closed", ...words } })
    : await app.call(recordRoutes[name], { body: { log_ids, ...words } });
}

async function audits(name: ActName) {
  const columns = ["actor", "outcome", "object_id", "before", "after"] as const;
  const rows = await auditsOf(t.db, columns, { action: `${name}_records` });
  return { count: rows.length, last: rows.at(-1) };
}

/** Makes a record in this state. It is a physical prize for the two states that only physical prizes have. */
async function recordIn(state: PayoutState): Promise<MadeRecord> {
  const isPhysical = state === "waiting_delivery" || state === "delivered";
  return await makeRecord(t.db, { state, ...(isPhysical ? { award_price_cents: 0 } : {}) });
}

async function recordOf({ log_id }: MadeRecord) {
  const { content } = await app.read(recordRoutes.list, { query: { size: 1000 } });
  return content.find((row) => row.log_id === log_id);
}

describe.each(ACTS)("%s", (name, states, to, counted, done, failed, reason) => {
  const from: readonly PayoutState[] = states;

  it("changes records in the right states and leaves the others as they are", async () => {
    const made = new Map<PayoutState, MadeRecord>();
    const before = new Map<PayoutState, object>();
    for (const state of PAYOUT_STATES) {
      const record = await recordIn(state);
      made.set(state, record);
      before.set(state, await payoutOf(t.db, record));
    }
    const idOf = (state: PayoutState) => made.get(state)?.log_id ?? 0;
    const others = PAYOUT_STATES.filter((state) => !from.includes(state));
    const ids = [...from, ...others, ...from].map(idOf);
    const answer = await call(name, [...ids, 77].join(","));
    const refused = others.map((state) => ({ log_id: idOf(state), reason }));
    expect(answer).toMatchObject({
      code: 200,
      msg: done,
      data: {
        [counted]: from.length,
        refused: [...refused, { log_id: 77, reason: "没有这条记录" }],
      },
    });
    for (const [state, record] of made) {
      const after = await payoutOf(t.db, record);
      if (from.includes(state)) {
        expect([state, after.state]).toEqual([state, to]);
      } else {
        expect(after).toEqual(before.get(state));
      }
    }
    expect((await audits(name)).last).toMatchObject({
      actor: "root-op",
      outcome: "done",
      before: { log_ids: from.map(idOf), state: from.length === 1 ? from[0] : from },
      after: { log_ids: from.map(idOf), state: to },
    });
    const again = await call(name, [idOf("paid")]);
    expect(again).toMatchObject({ code: 409, msg: failed, data: { [counted]: 0 } });
    expect((await audits(name)).last).toMatchObject({
      outcome: "refused",
      object_id: String(idOf("paid")),
      before: { refused: [{ log_id: idOf("paid"), state: "paid" }] },
    });
  });
});

describe("what is kept beside the new state", () => {
  const LONG_AGO = new Date("2026-01-01");

  it("re-issued: its number and its attempts, in the operator's name", async () => {
    const payout = { unknown_since: new Date(), asked: 7, resent: 3, attempts: 9 };
    const one = await makeRecord(t.db, { state: "refused", payout });
    const params = { id: one.log_id };
    expect(await app.read(recordRoutes.attempts, { params })).toEqual({ content: [], total: 0 });
    // The client from the specification sends the ids as `log`.
    const log = [(await recordIn("refused")).log_id];
    const answer = await call("reissue", [one.log_id], { log });
    expect(answer).toMatchObject({ data: { reissued: 2 } });
    expect(await payoutOf(t.db, one)).toMatchObject({
      trans_sn: one.trans_sn,
      fail_reason: null,
      requested_by: "root-op",
      unknown_since: null,
      asked: 0,
      resent: 0,
      attempts: 9,
    });
  });

  it("queried again: for another day, in the operator's name", async () => {
    const payout = { unknown_since: LONG_AGO, asked: 300, never_seen_at: LONG_AGO, resent: 4 };
    const one = await makeRecord(t.db, {
      state: "check",
      payout: { ...payout, updated_at: LONG_AGO },
    });
    await call("ask", [one.log_id]);
    const after = await payoutOf(t.db, one);
    const anew = { check_reason: null, asked: 0, never_seen_at: null, resent: 0 };
    expect(after).toMatchObject({ ...anew, requested_by: "root-op" });
    for (const now of [after.unknown_since, after.updated_at]) {
      expect(Date.now() - (now?.getTime() ?? 0)).toBeLessThan(60_000);
    }
  });

  it("delivered: a success, now, with the operator's note", async () => {
    const one = await recordIn("waiting_delivery");
    await call("deliver", [one.log_id], { note: " SF 12345 " });
    const { paid_at } = await payoutOf(t.db, one);
    expect(Math.abs(Date.now() - (paid_at?.getTime() ?? 0))).toBeLessThan(60_000);
    const shown = { award_status: 1, payout_state: "delivered", note: "SF 12345" };
    expect(await recordOf(one)).toMatchObject(shown);
    expect((await audits("deliver")).last?.after).toMatchObject({ note: "SF 12345" });
    const other = await recordIn("waiting_delivery");
    await call("deliver", [other.log_id], { note: "" });
    expect((await payoutOf(t.db, other)).note).toBeNull();
  });

  it("closed: a failure for good, with the wallet's reason and the operator's", async () => {
    const [refused, check] = [await recordIn("refused"), await recordIn("check")];
    await call("close", [refused.log_id, check.log_id]);
    const shown = { award_status: 2, payout_state: "closed", note: "account closed" };
    const frozen = { ...shown, fail_reason: "account frozen", check_reason: null };
    expect(await recordOf(refused)).toMatchObject(frozen);
    const unanswered = { ...shown, fail_reason: null, check_reason: "unanswered" };
    expect(await recordOf(check)).toMatchObject(unanswered);
    expect((await audits("close")).last?.after).toMatchObject({ reason: "account closed" });
  });
});

describe("many, and several operators", () => {
  it("ten thousand are changed at once, with one audit row", async () => {
    const made = await makeMany(t.db, 10_000, { state: "refused" });
    const { count } = await audits("reissue");
    const ids = made.map(({ log_id }) => log_id);
    const answer = await call("reissue", ids);
    expect(answer).toMatchObject({ code: 200, data: { reissued: 10_000, refused: [] } });
    expect((await audits("reissue")).count).toBe(count + 1);
  });

  it("re-issue once: the second waits, and finds it queued", async () => {
    const [one, other] = [await recordIn("refused"), await recordIn("refused")];
    const first = await hold(t.db, (tx) =>
      reissueRecords(tx, OPERATOR, [other.log_id, one.log_id], RETENTION_MS),
    );
    const second = call("reissue", [one.log_id, other.log_id]);
    await untilWaiting(t.db);
    await first.commit();
    expect(await second).toMatchObject({ code: 409, data: { reissued: 0 } });
    expect(first.result.taken).toEqual([other.log_id, one.log_id]);
    expect(await payoutOf(t.db, one)).toMatchObject({ requested_by: OPERATOR.name });
  });

  it("closing and re-issuing: the second finds what the first has done", async () => {
    const one = await recordIn("refused");
    const first = await hold(t.db, (tx) => closeRecords(tx, OPERATOR, [one.log_id], "closed"));
    const second = call("reissue", [one.log_id]);
    await untilWaiting(t.db);
    await first.commit();
    expect(await second).toMatchObject({ code: 409, data: { reissued: 0 } });
    expect(await payoutOf(t.db, one)).toMatchObject({ state: "closed" });
  });
});

describe("a re-issue, with a worker", () => {
  const sentAgo = (days: number) => ({ first_sent_at: new Date(Date.now() - days * DAY_MS) });

  beforeEach(async () => {
    await putOffPayouts(t.db);
    await wallet.control({ mode: "pay" });
  });

  it("after the wallet's retention is reported, queried first, and sent again by nobody", async () => {
    const old = await makeRecord(t.db, { state: "refused", payout: sentAgo(121) });
    const young = await makeRecord(t.db, { state: "refused", payout: sentAgo(119) });
    // One payout was queued long ago, without a wallet; another payout has been unknown since last year.
    const queued = await makeRecord(t.db, { payout: sentAgo(121) });
    const unknown = await makeRecord(t.db, { state: "unknown", payout: sentAgo(121) });
    const answer = await call("reissue", [old.log_id, young.log_id]);
    expect(answer).toMatchObject({ code: 200, data: { reissued: 2, asked: 1, refused: [] } });
    expect((await audits("reissue")).last?.after).toMatchObject({ asked: [old.log_id] });
    expect(await statesOf(t.db, [old, young])).toEqual(["unknown", "queued"]);
    await startTestWorker(t, wallet, { schedule: { retentionMs: RETENTION_MS } });
    await untilStates(t.db, [old, queued, unknown], "check");
    await untilStates(t.db, [young], "paid");
    for (const one of [old, queued, unknown]) {
      expect((await payoutOf(t.db, one)).check_reason).toBe("past_retention");
      expect(new Set(await attemptsOf(t.db, one.log_id))).toEqual(new Set(["query never_seen"]));
    }
    expect(await call("reissue", [old.log_id])).toMatchObject({ code: 409 });
  });

  it("finds what the wallet has paid meanwhile", async () => {
    const one = await makeRecord(t.db);
    await wallet.control({ mode: "pay_then_drop", times: 1 });
    // Only the notification of the re-issue can wake the worker, because the poll interval is too long.
    const schedule = { askAfterMs: [], askEveryMs: 600_000 };
    await startTestWorker(t, wallet, { schedule, limits: { pollMs: 600_000 } });
    await untilStates(t.db, [one], "unknown");
    await setPayout(t.db, one, { state: "refused", fail_reason: "by hand", ...sentAgo(121) });
    await call("reissue", [one.log_id]);
    await untilStates(t.db, [one], "paid");
    expect(await attemptsOf(t.db, one.log_id)).toEqual([
      "pay unclear: connection ECONNRESET",
      "query paid",
    ]);
    expect(await moneyFaults(t.db, await wallet.ledger(), [one])).toEqual([]);
  });

  it("names its operator on the attempt that follows, also after a second refusal", async () => {
    await wallet.control({ mode: "refuse", reason: "account frozen" });
    const one = await makeRecord(t.db);
    await startTestWorker(t, wallet);
    await untilStates(t.db, [one], "refused");
    expect(await call("reissue", [one.log_id])).toMatchObject({ code: 200 });
    await untilStates(t.db, [one], "refused");
    await wallet.control({ mode: "pay" });
    const other = { ...OPERATOR, name: "op-2" };
    await inTransaction(t.db, (tx) => reissueRecords(tx, other, [one.log_id], RETENTION_MS));
    await untilStates(t.db, [one], "paid");
    const answer = await app.call(recordRoutes.attempts, { params: { id: one.log_id } });
    expect(answer.data).toMatchObject({
      total: 3,
      content: [
        {
          no: 1,
          kind: "pay",
          operator: null,
          outcome: "refused",
          http_status: 200,
          at: expect.stringMatching(/^[-\d]{10} [:\d]{8}$/),
          request: expect.stringContaining(one.trans_sn),
          answer: expect.stringContaining("account frozen"),
        },
        { no: 2, kind: "pay", operator: "root-op", outcome: "refused" },
        { no: 3, kind: "pay", operator: "op-2", outcome: "paid" },
      ],
    });
    expect(await app.call(recordRoutes.attempts, { params: { id: 12 } })).toMatchObject({
      code: 404,
      msg: "没有这条记录",
    });
  });
});
