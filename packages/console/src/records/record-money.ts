import { sumAmounts } from "@red/contract/platform/money";
import type { PayoutState } from "@red/contract/platform/codes";
import type { RecordPick } from "@red/contract/records/record";
import { grouped } from "#ui/format.ts";
import { isPhysical } from "#pools/pool-math.ts";

/** Returns the total of the prize amounts, formatted as in tables. */
export function moneyOf(records: readonly Pick<RecordPick, "award_price">[]): string {
  return grouped(sumAmounts(records.map(({ award_price }) => award_price)));
}

/** Returns false if all records are physical prizes, which have no amounts. */
export function hasMoney(records: readonly Pick<RecordPick, "award_price">[]): boolean {
  return !records.every(isPhysical);
}

export type RecordAct = "reissue" | "ask" | "deliver" | "close";

/** The states in which each act is possible. This is only a forecast, because the server decides (behaviour §6). */
const STATES_FOR: Readonly<Record<RecordAct, readonly PayoutState[]>> = {
  reissue: ["refused"],
  ask: ["check"],
  deliver: ["waiting_delivery"],
  close: ["refused", "check"],
};

export function isEligible(act: RecordAct, record: Pick<RecordPick, "payout_state">): boolean {
  return STATES_FOR[act].includes(record.payout_state);
}

/** Counts how often each value occurs. The most frequent value comes first. */
export function counted<V>(values: readonly V[]): readonly (readonly [V, number])[] {
  const counts = new Map<V, number>();
  values.forEach((value) => counts.set(value, (counts.get(value) ?? 0) + 1));
  return [...counts].toSorted(([, first], [, second]) => second - first);
}

/** Returns the records for which the act is possible, and counts the states of the other records. */
export function eligibleFor(act: RecordAct, records: readonly RecordPick[]) {
  const taken = records.filter((record) => isEligible(act, record));
  const left = records.filter((record) => !isEligible(act, record));
  return { taken, others: counted(left.map(({ payout_state }) => payout_state)) };
}
