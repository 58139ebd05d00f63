import { sumAmounts } from "@red/contract/platform/money";
import type { PayoutState } from "@red/contract/platform/codes";
import type { RecordPick } from "@red/contract/records/record";
import { grouped } from "#ui/format.ts";
import { isPhysical } from "#pools/pool-math.ts";

/** Σ award_price, formatted as in tables. */
export function moneyOf(records: readonly Pick<RecordPick, "award_price">[]): string {
  return grouped(sumAmounts(records.map(({ award_price }) => award_price)));
}

/** False for physical prizes alone, which have no amounts. */
export function hasMoney(records: readonly Pick<RecordPick, "award_price">[]): boolean {
  return !records.every(isPhysical);
}

export type RecordAct = "reissue" | "ask" | "deliver" | "close";

/** The states in which each act is possible. A forecast only: the server decides (behaviour §6). */
const STATES_FOR: Readonly<Record<RecordAct, readonly PayoutState[]>> = {
  reissue: ["refused"],
  ask: ["check"],
  deliver: ["waiting_delivery"],
  close: ["refused", "check"],
};

export function isEligible(act: RecordAct, record: Pick<RecordPick, "payout_state">): boolean {
  return STATES_FOR[act].includes(record.payout_state);
}

/** How often each value occurs, most frequent first. */
export function counted<V>(values: readonly V[]): readonly (readonly [V, number])[] {
  const counts = new Map<V, number>();
  values.forEach((value) => counts.set(value, (counts.get(value) ?? 0) + 1));
  return [...counts].toSorted(([, first], [, second]) => second - first);
}

/** The records that the act can take, and the states of the others. */
export function eligibleFor(act: RecordAct, records: readonly RecordPick[]) {
  const taken = records.filter((record) => isEligible(act, record));
  const left = records.filter((record) => !isEligible(act, record));
  return { taken, others: counted(left.map(({ payout_state }) => payout_state)) };
}
