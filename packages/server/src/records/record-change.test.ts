import type { PayoutState } from "@red/contract/lookups";
import { PAYOUT_STATES } from "@red/contract/lookups";
import { recordRoutes } from "@red/contract/record";
import { closeRecords } from "#payouts/change-records";
import { OPERATOR } from "#test/activity-factory";
import { makeRecord } from "#test/factories";
import type { MadeRecord } from "#test/factories";
import { hold, untilWaiting } from "#test/races";
import { payoutOf } from "#test/payout-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { describe, expect, it } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

type Ids = string | readonly (number | string)[];

async function deliver(log_ids: Ids, words: object = {}) {
  // Each call may get an array or a comma list; the contract takes both.
  return await app.call(recordRoutes.deliver, { body: { log_ids: log_ids as number[], ...words } });
}

async function close(log_ids: Ids, words: object = { reason: "account closed" }) {
  const body = { log_ids: log_ids as number[], ...words } as { log_ids: number[]; reason: string };
  return await app.call(recordRoutes.close, { body });
}

async function lastAudit(action: string) {
  const rows = await t.db
    .selectFrom("audit_log")
    .select(["actor", "outcome", "object_id", "before", "after"])
    .where("action", "=", action)
    .orderBy("id")
    .execute();
  return { count: rows.length, last: rows.at(-1) };
}

async function recordOf({ log_id }: MadeRecord) {
  const { data } = await app.call(recordRoutes.list, { query: { size: 1000 } });
  const { content } = data as { content: { log_id: number }[] };
  return content.find((row) => row.log_id === log_id);
}

/** A record in a state, of a physical prize where only that has it. */
async function recordIn(state: PayoutState): Promise<MadeRecord> {
  const isPhysical = state === "waiting_delivery" || state === "delivered";
  return await makeRecord(t.db, { state, ...(isPhysical ? { award_price_cents: 0 } : {}) });
}

describe("marking as delivered", () => {
  it("makes a waiting physical prize a success, now, with the operator's note", async () => {
    const one = await recordIn("waiting_delivery");
    expect(await deliver([one.log_id], { note: " SF 12345 " })).toEqual({
      code: 200,
      msg: "已标记发货",
      data: { delivered: 1, refused: [] },
    });
    const payout = await payoutOf(t.db, one);
    expect(payout).toMatchObject({ state: "delivered", note: "SF 12345" });
    expect(Math.abs(Date.now() - (payout.paid_at?.getTime() ?? 0))).toBeLessThan(60_000);
    expect(await recordOf(one)).toMatchObject({
      award_status: 1,
      payout_state: "delivered",
      note: "SF 12345",
    });
    expect((await lastAudit("deliver_records")).last).toEqual({
      actor: "root-op",
      outcome: "done",
      object_id: String(one.log_id),
      before: { log_ids: [one.log_id], state: "waiting_delivery" },
      after: { log_ids: [one.log_id], state: "delivered", refused: [], note: "SF 12345" },
    });
  });

  it("takes what waits among many, and says why of each other one", async () => {
    const waiting = await recordIn("waiting_delivery");
    const paid = await recordIn("paid");
    const ids = [paid.log_id, waiting.log_id, 77, waiting.log_id];
    expect(await deliver(ids.join(","), { note: null })).toEqual({
      code: 200,
      msg: "已标记发货",
      data: {
        delivered: 1,
        refused: [
          { log_id: paid.log_id, reason: "只能标记待发货的实物记录" },
          { log_id: 77, reason: "没有这条记录" },
        ],
      },
    });
    expect(await payoutOf(t.db, waiting)).toMatchObject({ state: "delivered", note: null });
  });
});

describe("closing", () => {
  it("keeps a refused payout failed, with the wallet's reason and the operator's", async () => {
    const one = await recordIn("refused");
    expect(await close([one.log_id])).toEqual({
      code: 200,
      msg: "关闭成功",
      data: { closed: 1, refused: [] },
    });
    expect(await recordOf(one)).toMatchObject({
      award_status: 2,
      payout_state: "closed",
      fail_reason: "account frozen",
      note: "account closed",
    });
    expect((await lastAudit("close_records")).last).toEqual({
      actor: "root-op",
      outcome: "done",
      object_id: String(one.log_id),
      before: { log_ids: [one.log_id], state: "refused" },
      after: { log_ids: [one.log_id], state: "closed", refused: [], reason: "account closed" },
    });
    const reissue = await app.call(recordRoutes.reissue, { body: { log_ids: [one.log_id] } });
    expect(reissue).toMatchObject({ code: 409 });
  });

  it("also ends one that waits for people, and keeps why it did", async () => {
    const [one, other] = [await recordIn("check"), await recordIn("refused")];
    expect(await close([one.log_id, other.log_id])).toMatchObject({
      code: 200,
      data: { closed: 2, refused: [] },
    });
    expect(await recordOf(one)).toMatchObject({
      award_status: 2,
      payout_state: "closed",
      fail_reason: null,
      check_reason: "unanswered",
      note: "account closed",
    });
    expect((await lastAudit("close_records")).last).toMatchObject({
      before: { log_ids: [one.log_id, other.log_id], state: ["check", "refused"] },
      after: { state: "closed" },
    });
  });

  it("and re-issuing at the same moment: the second finds what the first has done", async () => {
    const one = await recordIn("refused");
    const first = await hold(t.db, (tx) => closeRecords(tx, OPERATOR, [one.log_id], "closed"));
    const second = app.call(recordRoutes.reissue, { body: { log_ids: [one.log_id] } });
    await untilWaiting(t.db);
    await first.commit();
    expect(await second).toMatchObject({ code: 409, data: { reissued: 0 } });
    expect(await payoutOf(t.db, one)).toMatchObject({ state: "closed" });
  });
});

const ACTS = [
  ["deliver", deliver, ["waiting_delivery"], "标记发货失败", "只能标记待发货的实物记录"],
  ["close", close, ["refused", "check"], "关闭失败", "只能关闭发放失败或待人工核对的记录"],
] as const;

describe.each(ACTS)("to %s", (_, act, taken: readonly PayoutState[], msg, reason) => {
  it.each(PAYOUT_STATES.filter((state) => !taken.includes(state)))(
    "is refused of what is %s, and leaves it as it is",
    async (state) => {
      const one = await recordIn(state);
      const before = await payoutOf(t.db, one);
      const refused = [{ log_id: one.log_id, reason }];
      expect(await act([one.log_id])).toMatchObject({ code: 409, msg, data: { refused } });
      expect(await payoutOf(t.db, one)).toEqual(before);
    },
  );
});
