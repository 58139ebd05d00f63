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

/** The states in which each act is possible; only a forecast, the server decides (behaviour §6). */
const STATES_FOR: Readonly<Record<RecordAct, readonly PayoutState[]>> = {
  reissue: ["refused"],
  ask: ["check"],
  deliver: ["waiting_delivery"],
  close: ["refused", "check"],
};

export function isEligible(
  act: RecordAct,
  { payout_state }: Pick<RecordPick, "payout_state">,
): boolean {
  return STATES_FOR[act].includes(payout_state);
}

export interface Eligible {
  readonly taken: readonly RecordPick[];
  /** The others by state, most frequent first. */
  readonly others: readonly (readonly [PayoutState, number])[];
}

export function eligibleFor(act: RecordAct, records: readonly RecordPick[]): Eligible {
  const others = new Map<PayoutState, number>();
  const taken = records.filter((record) => isEligible(act, record));
  for (const { payout_state } of records.filter((record) => !isEligible(act, record))) {
    others.set(payout_state, (others.get(payout_state) ?? 0) + 1);
  }
  return { taken, others: [...others].toSorted(([, first], [, second]) => second - first) };
}
