/** A difference that the way of an answer explains. */
const ANSWER_MS = 10_000;

/** The server's clock less the browser's. */
let ahead_ms = 0;

/** Follows the server's clock, by the `Date` of an answer: presets and typed times are reckoned from now. */
export function followServer(date: string | null): void {
  const ahead = Date.parse(date ?? "") - Date.now();
  ahead_ms = Math.abs(ahead) > ANSWER_MS ? ahead : 0;
}

export function serverNow(): Date {
  return new Date(Date.now() + ahead_ms);
}
