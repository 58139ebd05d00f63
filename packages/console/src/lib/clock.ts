/** The present in the business time zone, as the wire writes it. */
import { formatDateTime } from "@red/contract/datetime";
import { useEffect, useState } from "react";
import { useUser } from "./session.ts";

const TICK_MS = 15_000;

/** `yyyy-MM-dd HH:mm:ss` of now on the clocks of `time_zone`. */
export function businessNow(time_zone: string): string {
  return formatDateTime(new Date(), time_zone);
}

/** `yyyy-MM-dd HH:mm:ss` of now, renewed every quarter of a minute; texts order like instants. */
export function useBusinessNow(): string {
  const { time_zone } = useUser();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return formatDateTime(now, time_zone);
}

/** `yyyy-MM-dd` of today in the business time zone. */
export function useBusinessDay(): string {
  return useBusinessNow().slice(0, 10);
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
