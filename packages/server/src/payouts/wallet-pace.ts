/**
 * How many calls the wallet is made in a second, whoever makes them (behaviour §6). All processes share
 * one number: when the next call would be due if they came evenly. Within any second at most
 * `perSecond` are granted, a twentieth of them at once. Pure.
 */

/** How many calls are granted at `now`, and how long until the next one, ms. */
export interface Grant {
  readonly count: number;
  readonly waitMs: number;
}

interface Pace {
  readonly burst: number;
  readonly intervalMs: number;
}

/* A burst and a second of even pace together stay within the limit. */
function paceOf(perSecond: number): Pace {
  const burst = Math.max(1, Math.floor(perSecond / 20));
  return { burst, intervalMs: 1000 / (perSecond - burst + 1) };
}

/**
 * What may be called at `now` when the next call would be due at `slot`; both in milliseconds since 1970,
 * with fractions: at a thousand calls a second a whole one is a call.
 */
export function grantOf(perSecond: number, slot: number, now: number): Grant {
  const { burst, intervalMs } = paceOf(perSecond);
  const ahead = now + (burst - 1) * intervalMs - Math.max(slot, now);
  return ahead < 0
    ? { count: 0, waitMs: Math.ceil(-ahead) }
    : { count: Math.floor(ahead / intervalMs) + 1, waitMs: 0 };
}

/** When the next call would be due after `count` more were made at `now`. */
export function slotAfter(perSecond: number, slot: number, now: number, count: number): number {
  return Math.max(slot, now) + count * paceOf(perSecond).intervalMs;
}
