import { formatDateTime } from "@red/contract/platform/datetime";
import { useSyncExternalStore } from "react";
import { serverNow } from "./server-clock.ts";
import { useUser } from "./session.ts";

const TICK_MS = 15_000;

const listeners = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  ticking ??= setInterval(() => listeners.forEach((each) => each()), TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(ticking);
      ticking = undefined;
    }
  };
}

/** Returns the current time as `yyyy-MM-dd HH:mm:ss` in `time_zone`. */
export function businessNow(time_zone: string): string {
  return formatDateTime(serverNow(), time_zone);
}

/**
 * Calls `read` with the current time (`yyyy-MM-dd HH:mm:ss`, which sorts by time) every 15 seconds and returns its
 * result. The component renders again only when the result changes, so a list of days does not render every 15 seconds.
 */
export function useClock<T extends string | boolean>(read: (now: string) => T): T {
  const { time_zone } = useUser();
  return useSyncExternalStore(subscribe, () => read(businessNow(time_zone)));
}

/** Returns the current time as `yyyy-MM-dd HH:mm:ss`, updated every 15 seconds. */
export function useBusinessNow(): string {
  return useClock((now) => now);
}

/** Returns today as `yyyy-MM-dd` in the business time zone. */
export function useBusinessDay(): string {
  return useClock((now) => now.slice(0, "yyyy-MM-dd".length));
}

/** Shortens a time: without the date if the date is `today`, otherwise without the year. */
export function shortMoment(moment: string, today: string): string {
  return moment.startsWith(today)
    ? moment.slice("yyyy-MM-dd ".length)
    : moment.slice("yyyy-".length);
}

/** Returns the offset of the business time zone, such as `UTC+8`. */
export function useZoneName(): string {
  const { time_zone } = useUser();
  const parts = new Intl.DateTimeFormat("en", {
    timeZone: time_zone,
    timeZoneName: "shortOffset",
  }).formatToParts();
  const offset = parts.find(({ type }) => type === "timeZoneName")?.value ?? "UTC";
  return offset.replace("GMT", "UTC");
}
