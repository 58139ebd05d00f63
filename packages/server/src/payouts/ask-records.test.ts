import { PAYOUT_STATES } from "@red/contract/lookups";
import type { PayoutState } from "@red/contract/lookups";
import { recordRoutes } from "@red/contract/record";
import { makeRecord } from "#test/factories";
import { useFaultWallet } from "#test/fault-wallet";
import { attemptsOf, startTestWorker, statesOf, untilStates, payoutOf } from "#test/payout-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { describe, expect, it } from "vitest";

const t = useTestDb();
const app = useTestApp(t);
const wallet = useFaultWallet();

const LONG_AGO = new Date("2026-01-01");

async function ask(log_ids: readonly number[]) {
  return await app.call(recordRoutes.ask, { body: { log_ids: [...log_ids] } });
}

describe("asking again", () => {
  it("makes what waits for people unknown, for another day, in the operator's name", async () => {
    const payout = { unknown_since: LONG_AGO, asked: 300, never_seen_at: LONG_AGO, resent: 4 };
    const one = await makeRecord(t.db, { state: "check", payout });
    expect(await ask([one.log_id])).toEqual({
      code: 200,
      msg: "已重新向钱包查询",
      data: { asked: 1, refused: [] },
    });
    const after = await payoutOf(t.db, one);
    expect(after).toMatchObject({
      state: "unknown",
      check_reason: null,
      requested_by: "root-op",
      asked: 0,
      never_seen_at: null,
      resent: 0,
    });
    expect(Date.now() - (after.unknown_since?.getTime() ?? 0)).toBeLessThan(60_000);
    const audit = await t.db
      .selectFrom("audit_log")
      .select(["actor", "outcome", "before", "after"])
      .where("action", "=", "ask_records")
      .executeTakeFirstOrThrow();
    expect(audit).toEqual({
      actor: "root-op",
      outcome: "done",
      before: { log_ids: [one.log_id], state: "check" },
      after: { log_ids: [one.log_id], state: "unknown", refused: [] },
    });
  });

  it.each<PayoutState>(PAYOUT_STATES.filter((state) => state !== "check"))(
    "refuses what is %s and leaves it as it is",
    async (state) => {
      const isPhysical = state === "waiting_delivery" || state === "delivered";
      const values = isPhysical ? { state, award_price_cents: 0 } : { state };
      const one = await makeRecord(t.db, values);
      const before = await payoutOf(t.db, one);
      expect(await ask([one.log_id])).toMatchObject({
        code: 409,
        msg: "查询失败",
        data: { asked: 0, refused: [{ log_id: one.log_id, reason: "只能查询待人工核对的记录" }] },
      });
      expect(await payoutOf(t.db, one)).toEqual(before);
    },
  );

  it("settles what the wallet knows by now, and names who asked", async () => {
    await t.db
      .updateTable("payout")
      .set({ next_at: new Date("2100-01-01") })
      .execute();
    const one = await makeRecord(t.db);
    await wallet.control({ mode: "pay_then_500", times: 2, on: "both" });
    const quick = { schedule: { checkAfterMs: 1 } };
    await startTestWorker(t, wallet, quick);
    await untilStates(t.db, [one], "check");
    expect(await ask([one.log_id])).toMatchObject({ code: 200 });
    await untilStates(t.db, [one], "paid");
    expect(await attemptsOf(t.db, one.log_id)).toEqual([
      "pay unclear: status 500",
      "query unclear: status 500",
      "query paid",
    ]);
    const { operator } = await t.db
      .selectFrom("payout_attempt")
      .select("operator")
      .where("log_id", "=", one.log_id)
      .where("no", "=", 3)
      .executeTakeFirstOrThrow();
    expect(operator).toBe("root-op");
    expect(await statesOf(t.db, [one])).toEqual(["paid"]);
  });
});
