/**
 * Notices that the wallet as a whole is down, from the answers of one worker. Sending on would turn
 * every queued payout into an unknown one, which takes far longer to pay afterwards; so one call at a
 * time tries whether the wallet is back (behaviour §6).
 */
export interface OutageWatch {
  /** Notes one answer: did the wallet have trouble? */
  note(isTrouble: boolean): void;
  /**
   * How many calls may be made beside `inFlight` others, at `now` on a monotonic clock (ms). While the
   * wallet is down, an answer above 0 is a permit that is used up.
   */
  room(inFlight: number, now: number): number;
  /** How long until the next try; null when nobody has to wait for one. */
  pause(inFlight: number, now: number): number | null;
}

/** Down after `calls` troubled answers in a row; tried again every `probeMs`. */
export function watchOutage(calls: number, probeMs: number): OutageWatch {
  let troubled = 0;
  let nextTry = 0;
  const isDown = () => troubled >= calls;
  return {
    note(isTrouble) {
      troubled = isTrouble ? troubled + 1 : 0;
    },
    room(inFlight, now) {
      if (!isDown()) {
        return Math.max(0, calls - inFlight);
      }
      if (inFlight > 0 || now < nextTry) {
        return 0;
      }
      nextTry = now + probeMs;
      return 1;
    },
    pause: (inFlight, now) => (isDown() && inFlight === 0 ? Math.max(0, nextTry - now) : null),
  };
}
