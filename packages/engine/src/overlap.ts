/**
 * What two rounds share at the same time (behaviour §3). Nothing of it is forbidden; each of it is
 * something that costs money when nobody meant it.
 */
import { SHARED_THINGS } from "@red/contract/activity";
import type { SharedThing } from "@red/contract/activity";
import { CONDITION_NAMES } from "@red/contract/lookups";
import type { ConditionName } from "@red/contract/lookups";

/** A round as far as it can share something; times in milliseconds, ends given to the second. */
export interface OverlapRound {
  readonly pool_name: string;
  readonly tag: string;
  readonly condition_name: ConditionName;
  readonly achieve_start_ms: number;
  readonly achieve_end_ms: number;
  readonly start_ms: number;
  readonly end_ms: number;
}

/** Do two spans have an instant in common? An end includes its second, so touching is enough. */
function meets(start: number, end: number, otherStart: number, otherEnd: number): boolean {
  return start < otherEnd + 1_000 && otherStart < end + 1_000;
}

/**
 * What the rounds share. While both can be drawn: the `pool`, whose stock both draw from, and the `tag`,
 * whose extra times can be used in either. Within both condition windows: `deposits` or `bets`, of which
 * one row then earns draws in both. In the order of SHARED_THINGS; the same whichever comes first.
 */
export function sharedThings(one: OverlapRound, other: OverlapRound): readonly SharedThing[] {
  const drawn = meets(one.start_ms, one.end_ms, other.start_ms, other.end_ms);
  const counted =
    one.condition_name === other.condition_name &&
    meets(one.achieve_start_ms, one.achieve_end_ms, other.achieve_start_ms, other.achieve_end_ms);
  const shares: Record<SharedThing, boolean> = {
    pool: drawn && one.pool_name === other.pool_name,
    tag: drawn && one.tag === other.tag,
    deposits: counted && one.condition_name === CONDITION_NAMES.deposit,
    bets: counted && one.condition_name === CONDITION_NAMES.bet,
  };
  return SHARED_THINGS.filter((thing) => shares[thing]);
}
