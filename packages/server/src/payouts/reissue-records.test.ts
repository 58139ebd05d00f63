/** Re-issued payouts and the worker (spec §4; behaviour §6). */
import { recordRoutes } from "@red/contract/record";
import { reissueRecords } from "./change-records.ts";
import type { Actor } from "#platform/audit";
import { inTransaction } from "#platform/connection";
import { makeRecord } from "#test/factories";
import { useFaultWallet } from "#test/fault-wallet";
import {
  attemptsOf,
  moneyFaults,
  startTestWorker,
  statesOf,
  untilStates,
  payoutOf,
  putOffPayouts,
} from "#test/payout-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { describe, expect, it } from "vitest";

const t = useTestDb();
const app = useTestApp(t);
const wallet = useFaultWallet();

const DAY_MS = 86_400_000;
const RETENTION_MS = 120 * DAY_MS;
const ACTOR: Actor = { kind: "operator", name: "op-2", request_id: null, address: null };

const reissue = (log_ids: number[]) => app.call(recordRoutes.reissue, { body: { log_ids } });

describe("a re-issue after the wallet's retention", () => {
  const sentAgo = (days: number) => ({
    first_sent_at: new Date(Date.now() - days * DAY_MS),
    next_at: new Date("2100-01-01"),
  });

  it("is never sent automatically: an unknown number goes to manual check", async () => {
    await putOffPayouts(t.db);
    const old = await makeRecord(t.db, { state: "refused", payout: sentAgo(121) });
    // One queued long ago, without a wallet, and one unknown since last year.
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

describe("an operator who re-issues", () => {
  it("is named on the attempt that follows, and a second refusal can be re-issued again", async () => {
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
