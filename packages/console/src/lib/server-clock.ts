/** A smaller difference is ignored, because it may come from the time that a response takes. */
const ANSWER_MS = 10_000;

/** Server clock minus browser clock, in milliseconds. */
let ahead_ms = 0;

/**
 * Follows the server clock by the `Date` header of a response, because presets and typed times depend on the current
 * time.
 */
export function followServer(date: string | null): void {
  const ahead = Date.parse(date ?? "") - Date.now();
  ahead_ms = Math.abs(ahead) > ANSWER_MS ? ahead : 0;
}

export function serverNow(): Date {
  return new Date(Date.now() + ahead_ms);
}
