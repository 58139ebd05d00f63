import type { PayoutState } from "@red/contract/lookups";
import { recordRoutes } from "@red/contract/record";
import { reissueRecords } from "./change-records.ts";
import type { Actor } from "#platform/audit";
import { inTransaction } from "#platform/connection";
import { makePlayer, makeRecord, makeRecords, makeRound } from "#test/factories";
import { useFaultWallet } from "#test/fault-wallet";
import {
  attemptsOf,
  moneyFaults,
  startTestWorker,
  statesOf,
  untilStates,
  payoutOf,
} from "#test/payout-factory";
import { hold, untilWaiting } from "#test/races";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { describe, expect, it } from "vitest";

const t = useTestDb();
const app = useTestApp(t);
const wallet = useFaultWallet();

const DAY_MS = 86_400_000;
const RETENTION_MS = 120 * DAY_MS;
const ACTOR: Actor = { kind: "operator", name: "op-2", request_id: null, address: null };

async function reissue(log_ids: string | readonly (number | string)[]) {
  // Each call may get an array or a comma list; the contract takes both.
  const body = { log_ids } as { log_ids: number[] };
  return await app.call(recordRoutes.reissue, { body });
}

async function auditOf(action: string) {
  return await t.db
    .selectFrom("audit_log")
    .select(["actor", "outcome", "before", "after"])
    .where("action", "=", action)
    .orderBy("id")
    .execute();
}

describe("re-issue", () => {
  it("queues a refused payout again, under its number, in the operator's name", async () => {
    const payout = { unknown_since: new Date(), asked: 7, resent: 3, attempts: 9 };
    const one = await makeRecord(t.db, { state: "refused", payout });
    expect(await reissue([one.log_id])).toEqual({
      code: 200,
      msg: "补发成功",
      data: { reissued: 1, asked: 0, refused: [] },
    });
    expect(await payoutOf(t.db, one)).toMatchObject({
      state: "queued",
      trans_sn: one.trans_sn,
      fail_reason: null,
      requested_by: "root-op",
      unknown_since: null,
      asked: 0,
      resent: 0,
      attempts: 9,
    });
    expect((await auditOf("reissue_records")).at(-1)).toEqual({
      actor: "root-op",
      outcome: "done",
      before: { log_ids: [one.log_id], state: "refused" },
      after: { log_ids: [one.log_id], state: "queued", refused: [] },
    });
  });

  it.each<PayoutState>(["queued", "sending", "unknown", "check", "paid", "closed"])(
    "refuses what is %s, with the reason",
    async (state) => {
      const one = await makeRecord(t.db, { state });
      const before = await payoutOf(t.db, one);
      expect(await reissue([one.log_id])).toEqual({
        code: 409,
        msg: "补发失败",
        data: {
          reissued: 0,
          asked: 0,
          refused: [{ log_id: one.log_id, reason: expect.stringContaining("只能补发失败的记录") }],
        },
        key: "reissue_none",
      });
      expect(await payoutOf(t.db, one)).toEqual(before);
      expect((await auditOf("reissue_records")).at(-1)).toMatchObject({
        outcome: "refused",
        before: { refused: [{ log_id: one.log_id, state }] },
      });
    },
  );

  it("takes what it can of many, in the order asked for, each once", async () => {
    const refused = await makeRecord(t.db, { state: "refused" });
    const physical = await makeRecord(t.db, { award_price_cents: 0 });
    const delivered = await makeRecord(t.db, { award_price_cents: 0, state: "delivered" });
    const ids = [delivered, refused, physical, refused].map(({ log_id }) => log_id);
    const answer = await reissue([...ids, 77, String(refused.log_id)].join(","));
    expect(answer).toMatchObject({ code: 200, msg: "补发成功" });
    expect(answer.data).toMatchObject({
      reissued: 1,
      refused: [
        { log_id: delivered.log_id },
        { log_id: physical.log_id },
        { log_id: 77, reason: "没有这条记录" },
      ],
    });
    const [audit] = (await auditOf("reissue_records")).slice(-1);
    expect(audit?.after).toMatchObject({ log_ids: [refused.log_id] });
  });

  it("is refused without records, and with too many", async () => {
    for (const log_ids of [[], ""]) {
      expect(await reissue(log_ids)).toMatchObject({ code: 400, msg: "请选择要补发用户" });
    }
    for (const log_ids of ["x", "1,,2"]) {
      const msg = "记录ID 必须是编号，多个以逗号分隔";
      expect(await reissue(log_ids)).toMatchObject({ code: 400, msg });
    }
    expect(await app.call(recordRoutes.reissue, { body: {} })).toMatchObject({ code: 400 });
    const many = Array.from({ length: 10_001 }, (_, at) => at + 1);
    expect(await reissue(many)).toMatchObject({ code: 400 });
    expect(await reissue(many.join(","))).toMatchObject({ code: 400 });
  });

  it("takes ten thousand at once", async () => {
    const round = await makeRound(t.db);
    const values = Array.from({ length: 10_000 }, () => ({ state: "refused" }) as const);
    const made = await makeRecords(t.db, round, await makePlayer(t.db), values);
    const answer = await reissue(made.map(({ log_id }) => log_id));
    expect(answer).toMatchObject({ code: 200, data: { reissued: 10_000, refused: [] } });
    await t.db
      .updateTable("payout")
      .set({ next_at: new Date("2100-01-01") })
      .execute();
  });
});

describe("a re-issue after the wallet's retention", () => {
  const sentAgo = (days: number) => ({
    first_sent_at: new Date(Date.now() - days * DAY_MS),
    next_at: new Date("2100-01-01"),
  });

  it("asks first, tells the operator so, and audits it", async () => {
    const old = await makeRecord(t.db, { state: "refused", payout: sentAgo(121) });
    const young = await makeRecord(t.db, { state: "refused", payout: sentAgo(119) });
    expect(await reissue([old.log_id, young.log_id])).toMatchObject({
      code: 200,
      data: { reissued: 2, asked: 1, refused: [] },
    });
    expect(await statesOf(t.db, [old, young])).toEqual(["unknown", "queued"]);
    expect((await auditOf("reissue_records")).at(-1)?.after).toMatchObject({
      log_ids: [old.log_id, young.log_id],
      asked: [old.log_id],
    });
  });

  it("is never sent by itself: what the wallet does not know is left to people", async () => {
    await t.db
      .updateTable("payout")
      .set({ next_at: new Date("2100-01-01") })
      .execute();
    const old = await makeRecord(t.db, { state: "refused", payout: sentAgo(121) });
    // Queued long ago, while there was no wallet; and one that nobody knows about since last year.
    const first_sent_at = new Date(Date.now() - 121 * DAY_MS);
    const queued = await makeRecord(t.db, { payout: { first_sent_at } });
    const unknown = await makeRecord(t.db, { state: "unknown", payout: { first_sent_at } });
    await reissue([old.log_id]);
    await startTestWorker(t, wallet, { schedule: { retentionMs: RETENTION_MS } });
    await untilStates(t.db, [old, queued, unknown], "check");
    for (const one of [old, queued, unknown]) {
      expect((await payoutOf(t.db, one)).check_reason).toBe("past_retention");
      expect(new Set(await attemptsOf(t.db, one.log_id))).toEqual(new Set(["query never_seen"]));
    }
    expect(await reissue([old.log_id])).toMatchObject({ code: 409 });
  });

  it("finds what the wallet has paid meanwhile", async () => {
    const one = await makeRecord(t.db);
    await wallet.control({ mode: "pay_then_drop", times: 1 });
    await startTestWorker(t, wallet, { schedule: { askAfterMs: [], askEveryMs: 60_000 } });
    await untilStates(t.db, [one], "unknown");
    const fail_reason = "by hand";
    await t.db
      .updateTable("payout")
      .set({ state: "refused", fail_reason, first_sent_at: sentAgo(121).first_sent_at })
      .where("log_id", "=", one.log_id)
      .execute();
    await reissue([one.log_id]);
    await untilStates(t.db, [one], "paid");
    expect(await attemptsOf(t.db, one.log_id)).toEqual([
      "pay unclear: connection ECONNRESET",
      "query paid",
    ]);
    expect(await moneyFaults(t.db, await wallet.ledger(), [one])).toEqual([]);
  });
});

describe("several operators at once", () => {
  it("re-issue once: the second waits, and finds it queued", async () => {
    const one = await makeRecord(t.db, { state: "refused" });
    const other = await makeRecord(t.db, { state: "refused" });
    const first = await hold(t.db, (tx) =>
      reissueRecords(tx, ACTOR, [other.log_id, one.log_id], RETENTION_MS),
    );
    const second = reissue([one.log_id, other.log_id]);
    await untilWaiting(t.db);
    await first.commit();
    expect(await second).toMatchObject({ code: 409, data: { reissued: 0 } });
    expect(first.result.taken).toEqual([other.log_id, one.log_id]);
    expect(await payoutOf(t.db, one)).toMatchObject({ requested_by: "op-2" });
  });

  it("pressed fifty times in parallel while the wallet loses its answers: one credit each", async () => {
    await t.db
      .updateTable("payout")
      .set({ next_at: new Date("2100-01-01") })
      .execute();
    const round = await makeRound(t.db);
    const values = Array.from({ length: 30 }, () => ({ state: "refused" }) as const);
    const made = await makeRecords(t.db, round, await makePlayer(t.db), values);
    await wallet.control({ mode: "pay_then_drop", every: 2 });
    await startTestWorker(t, wallet);
    const presses = Array.from({ length: 50 }, (_, at) => {
      // Overlapping sets, each beginning elsewhere.
      const ids = made.map((_one, index) => made[(index + at) % made.length]?.log_id ?? 0);
      return reissue(ids.slice(0, 20));
    });
    const answers = await Promise.all(presses);
    const codes = answers.map(({ code }) => code);
    expect(codes.filter((code) => code !== 200 && code !== 409)).toEqual([]);
    const taken = answers.map(({ data }) => (data as { reissued: number }).reissued);
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(made.length);
    await untilStates(t.db, made, "paid");
    expect(await moneyFaults(t.db, await wallet.ledger(), made)).toEqual([]);
  });

  it("are named on the attempt that follows, and a second refusal can be re-issued again", async () => {
    await wallet.control({ mode: "refuse", reason: "account frozen" });
    const one = await makeRecord(t.db);
    await startTestWorker(t, wallet);
    await untilStates(t.db, [one], "refused");
    expect(await reissue([one.log_id])).toMatchObject({ code: 200 });
    await untilStates(t.db, [one], "refused");
    await wallet.control({ mode: "pay" });
    await inTransaction(t.db, (tx) => reissueRecords(tx, ACTOR, [one.log_id], RETENTION_MS));
    await untilStates(t.db, [one], "paid");
    expect(await attemptsOf(t.db, one.log_id)).toEqual(["pay refused", "pay refused", "pay paid"]);
    const operators = await t.db
      .selectFrom("payout_attempt")
      .select("operator")
      .where("log_id", "=", one.log_id)
      .orderBy("no")
      .execute();
    expect(operators.map(({ operator }) => operator)).toEqual([null, "root-op", "op-2"]);
    const answer = await app.call(recordRoutes.attempts, { params: { id: one.log_id } });
    expect(answer.data).toMatchObject({
      total: 3,
      content: [
        { no: 1, kind: "pay", operator: null, outcome: "refused", http_status: 200 },
        { no: 2, kind: "pay", operator: "root-op", outcome: "refused" },
        { no: 3, kind: "pay", operator: "op-2", outcome: "paid" },
      ],
    });
    expect(await statesOf(t.db, [one])).toEqual(["paid"]);
    expect(await app.call(recordRoutes.attempts, { params: { id: 12 } })).toMatchObject({
      code: 404,
      msg: "没有这条记录",
    });
  });
});
