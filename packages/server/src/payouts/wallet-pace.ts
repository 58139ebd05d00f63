/**
 * The limit of calls per second to the wallet, for all processes together (behaviour §6). They share one
 * number: when the next call is due at an even pace. Within any second at most `perSecond` calls are granted,
 * a twentieth of them at once. Pure.
 */

/** A burst plus a second of even pace stays within the limit. */
function paceOf(perSecond: number) {
  const burst = Math.max(1, Math.floor(perSecond / 20));
  return { burst, intervalMs: 1000 / (perSecond - burst + 1) };
}

/**
 * How many calls may be made at `now`, and the wait until the next one in ms. The next call is due at `slot`. Both
 * instants are milliseconds since 1970 with fractions: at 1,000 calls per second, rounding would lose a call.
 */
export function grantOf(perSecond: number, slot: number, now: number) {
  const { burst, intervalMs } = paceOf(perSecond);
  const ahead = now + (burst - 1) * intervalMs - Math.max(slot, now);
  return ahead < 0
    ? { count: 0, waitMs: Math.ceil(-ahead) }
    : { count: Math.floor(ahead / intervalMs) + 1, waitMs: 0 };
}

/** When the next call is due after `count` more calls at `now`. */
export function slotAfter(perSecond: number, slot: number, now: number, count: number): number {
  return Math.max(slot, now) + count * paceOf(perSecond).intervalMs;
}
