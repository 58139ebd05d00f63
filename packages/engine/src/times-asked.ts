/** Computes how often a threshold of the approval ladder would have asked for its proof (behaviour §16). */
import { DAY_MS } from "@red/contract/platform/datetime";
import type { BandKey } from "@red/contract/approvals/setting";

export interface PastChange {
  /** Null if redctl made the change. */
  readonly person: number | null;
  readonly at: Date;
  /** The risk of this change that counts for the threshold, in whole cents from 0. */
  readonly cents: number;
}

function isOver(old: PastChange, { person, at }: PastChange): boolean {
  return old.person !== person || Number(at) - Number(old.at) >= DAY_MS;
}

/**
 * Returns how often a threshold of `sum` whole cents would have asked for its proof. It asks each time that a
 * person's changes of the last 24 hours, counted since it last asked, exceed `sum` (code) or reach `sum`
 * (reason, second person). `changes` are grouped by person, oldest first.
 */
export function timesAsked(key: BandKey, sum: number, changes: readonly PastChange[]): number {
  const counted: PastChange[] = [];
  let risked = 0;
  let times = 0;
  for (const change of changes) {
    for (let [old] = counted; old !== undefined && isOver(old, change); [old] = counted) {
      risked -= old.cents;
      counted.shift();
    }
    counted.push(change);
    risked += change.cents;
    if (change.cents > 0 && (key === "guard_sum" ? risked > sum : risked >= sum)) {
      times += 1;
      risked = 0;
      counted.length = 0;
    }
  }
  return times;
}
