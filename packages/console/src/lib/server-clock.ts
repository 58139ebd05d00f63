/** A difference up to this size comes from the time that an answer takes. */
const ANSWER_MS = 10_000;

/** The server's clock minus the browser's. */
let ahead_ms = 0;

/** Follows the server's clock by the `Date` header of an answer: presets and typed times count from now. */
export function followServer(date: string | null): void {
  const ahead = Date.parse(date ?? "") - Date.now();
  ahead_ms = Math.abs(ahead) > ANSWER_MS ? ahead : 0;
}

export function serverNow(): Date {
  return new Date(Date.now() + ahead_ms);
}
