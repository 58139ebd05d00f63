import type { RecordPick } from "@red/contract/records/record";
import { expect, it } from "vitest";
import { RECORD } from "#test/fixtures.ts";
import { eligibleFor } from "./record-money.ts";

function picks(...states: readonly RecordPick["payout_state"][]): readonly RecordPick[] {
  return states.map((payout_state, at) => ({ ...RECORD, log_id: at + 1, payout_state }));
}

it("knows the states in which each act is possible, and counts the rest", () => {
  const records = picks("paid", "refused", "waiting_delivery", "paid", "refused", "closed");
  const reissue = eligibleFor("reissue", records);
  expect(reissue.taken.map(({ log_id }) => log_id)).toEqual([2, 5]);
  expect(reissue.others).toEqual([
    ["paid", 2],
    ["waiting_delivery", 1],
    ["closed", 1],
  ]);
  expect(eligibleFor("close", picks("check", "refused", "paid")).taken).toHaveLength(2);
  expect(eligibleFor("ask", picks("check", "refused", "unknown")).taken).toHaveLength(1);
  expect(eligibleFor("deliver", records).taken.map(({ log_id }) => log_id)).toEqual([3]);
});
