/** How often a sum of the approval ladder would have asked for its proof (behaviour §16). */
import { DAY_MS } from "@red/contract/platform/datetime";
import type { BandKey } from "@red/contract/approvals/setting";

export interface PastChange {
  /** Null: redctl. */
  readonly person: number | null;
  readonly at: Date;
  /** Its part of the sum, whole cents from 0. */
  readonly cents: number;
}

function isOver(old: PastChange, { person, at }: PastChange): boolean {
  return old.person !== person || Number(at) - Number(old.at) >= DAY_MS;
}

/**
 * How often `sum`, whole cents, would have asked: each time that a person's changes of 24 hours since the last question
 * exceed it (code) or reach it (reason, second person). `changes` are grouped by person, oldest first.
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
