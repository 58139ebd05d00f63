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

/** Now as `yyyy-MM-dd HH:mm:ss` in `time_zone`. */
export function businessNow(time_zone: string): string {
  return formatDateTime(serverNow(), time_zone);
}

/**
 * The result of `read` for now (`yyyy-MM-dd HH:mm:ss`, which sorts by time), read every 15 seconds. Renders again only
 * when the result changes: a list of days does not render with every tick.
 */
export function useClock<T extends string | boolean>(read: (now: string) => T): T {
  const { time_zone } = useUser();
  return useSyncExternalStore(subscribe, () => read(businessNow(time_zone)));
}

/** Now as `yyyy-MM-dd HH:mm:ss`, updated every 15 seconds. */
export function useBusinessNow(): string {
  return useClock((now) => now);
}

/** Today as `yyyy-MM-dd` in the business time zone. */
export function useBusinessDay(): string {
  return useClock((now) => now.slice(0, "yyyy-MM-dd".length));
}

/** A moment without its date if that is `today`, else without the year. */
export function shortMoment(moment: string, today: string): string {
  return moment.startsWith(today)
    ? moment.slice("yyyy-MM-dd ".length)
    : moment.slice("yyyy-".length);
}

/** Offset of the business time zone, `UTC+8`. */
export function useZoneName(): string {
  const { time_zone } = useUser();
  const parts = new Intl.DateTimeFormat("en", {
    timeZone: time_zone,
    timeZoneName: "shortOffset",
  }).formatToParts();
  const offset = parts.find(({ type }) => type === "timeZoneName")?.value ?? "UTC";
  return offset.replace("GMT", "UTC");
}
