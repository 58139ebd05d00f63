/**
 * Finds what two rounds share at the same time (behaviour §3). Sharing is allowed, but costs money if it is a mistake.
 */
import { SHARED_THINGS } from "@red/contract/rounds/activity";
import type { SharedThing } from "@red/contract/rounds/activity";
import { CONDITION_NAMES } from "@red/contract/platform/codes";
import type { ConditionName, PlatformCode } from "@red/contract/platform/codes";

/** Times are in milliseconds; ends are full seconds. */
export interface OverlapRound {
  readonly pool_name: string;
  readonly tag: string;
  readonly condition_name: ConditionName;
  /** Null: bets on all platforms count. */
  readonly platforms: readonly PlatformCode[] | null;
  readonly achieve_start_ms: number;
  readonly achieve_end_ms: number;
  readonly start_ms: number;
  readonly end_ms: number;
}

/**
 * Returns true if the time windows overlap. Windows that only touch overlap too, because an end includes its
 * whole second.
 */
function meets(start: number, end: number, otherStart: number, otherEnd: number): boolean {
  return start < otherEnd + 1_000 && otherStart < end + 1_000;
}

function sharesPlatform({ platforms }: OverlapRound, other: OverlapRound): boolean {
  return platforms?.some((code) => other.platforms?.includes(code) ?? true) ?? true;
}

/**
 * Returns what the rounds share, in the order of SHARED_THINGS. While players can draw in both rounds, they
 * can share the `pool` with its stock, and the `tag`, whose extra times are valid in both rounds. While both
 * condition windows are open, one row of `deposits` or `bets` earns draws in both rounds; bets count only on
 * a platform that both rounds count.
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
    bets: counted && one.condition_name === CONDITION_NAMES.bet && sharesPlatform(one, other),
  };
  return SHARED_THINGS.filter((thing) => shares[thing]);
}
