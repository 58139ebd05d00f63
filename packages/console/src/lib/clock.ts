/** The present in the business time zone, as the wire writes it. */
import { formatDateTime } from "@red/contract/datetime";
import { useSyncExternalStore } from "react";
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

/** `yyyy-MM-dd HH:mm:ss` of now on the clocks of `time_zone`. */
export function businessNow(time_zone: string): string {
  return formatDateTime(new Date(), time_zone);
}

/**
 * What `read` makes of `yyyy-MM-dd HH:mm:ss` of now, looked at every quarter of a minute; texts order like
 * instants. Who uses it is rendered again only when that changes: a list that shows days need not be for each second.
 */
export function useClock<T extends string | boolean>(read: (now: string) => T): T {
  const { time_zone } = useUser();
  return useSyncExternalStore(subscribe, () => read(businessNow(time_zone)));
}

/** `yyyy-MM-dd HH:mm:ss` of now, renewed every quarter of a minute. */
export function useBusinessNow(): string {
  return useClock((now) => now);
}

/** `yyyy-MM-dd` of today in the business time zone. */
export function useBusinessDay(): string {
  return useClock((now) => now.slice(0, "yyyy-MM-dd".length));
}

/** A moment as short as it can be told: its time alone when its day is `today`, else without the year. */
export function shortMoment(moment: string, today: string): string {
  return moment.startsWith(today)
    ? moment.slice("yyyy-MM-dd ".length)
    : moment.slice("yyyy-".length);
}

/** Offset of the business time zone as people write it, `UTC+8`. */
export function useZoneName(): string {
  const { time_zone } = useUser();
  const parts = new Intl.DateTimeFormat("en", {
    timeZone: time_zone,
    timeZoneName: "shortOffset",
  }).formatToParts();
  const offset = parts.find(({ type }) => type === "timeZoneName")?.value ?? "UTC";
  return offset.replace("GMT", "UTC");
}
