/**
 * Limits the calls per second to the wallet across all processes (behaviour §6). All processes share one number:
 * the time at which the next call is due at an even pace. Within any second at most `perSecond` calls are
 * allowed, and at most a twentieth of these calls at once. Pure.
 */

/** A burst plus one second at the even pace stays within the limit. */
function paceOf(perSecond: number) {
  const burst = Math.max(1, Math.floor(perSecond / 20));
  return { burst, intervalMs: 1000 / (perSecond - burst + 1) };
}

/**
 * Returns how many calls may be made at `now`, and the wait until the next call in ms; the next call is due at `slot`.
 * Both times are milliseconds since 1970 with fractions, because rounding would lose a call at 1,000 calls per second.
 */
export function grantOf(perSecond: number, slot: number, now: number) {
  const { burst, intervalMs } = paceOf(perSecond);
  const ahead = now + (burst - 1) * intervalMs - Math.max(slot, now);
  return ahead < 0
    ? { count: 0, waitMs: Math.ceil(-ahead) }
    : { count: Math.floor(ahead / intervalMs) + 1, waitMs: 0 };
}

/** Returns the time at which the next call is due after `count` more calls at `now`. */
export function slotAfter(perSecond: number, slot: number, now: number, count: number): number {
  return Math.max(slot, now) + count * paceOf(perSecond).intervalMs;
}
