/** Fields in the address of the page with deposits and bets (spec §2, behaviour §11). */
import type { Activity } from "@red/contract/rounds/activity";
import { listSearchOf } from "#lib/search.ts";

/** Keys of the tabs (spec §2). */
export const DEPOSIT_TAB = "0";
export const BET_TAB = "1";

/** Filters that stay when the operator switches tabs. */
export const COMMON_FILTERS = [
  "user_name",
  "start_time",
  "end_time",
  "start_date",
  "rounds_name",
] as const;
export const DEPOSIT_FILTERS = [...COMMON_FILTERS, "channel", "client"] as const;
export const BET_FILTERS = [...COMMON_FILTERS, "type"] as const;

export const EVENT_SEARCH = listSearchOf([...DEPOSIT_FILTERS, "type"], ["tab", "dialog"]);

type EventField = (typeof DEPOSIT_FILTERS)[number] | (typeof BET_FILTERS)[number];
export type EventSearch = { readonly [F in EventField]?: string | undefined };

export type Window = Pick<Activity, "achieve_start_time" | "achieve_end_time">;

export function picked(search: EventSearch, names: readonly EventField[]): EventSearch {
  return Object.fromEntries(
    names.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  );
}

/** Returns the time range that results from the day, the activity and the times of the filter. */
function timesOf(filter: EventSearch, window: Window | null): EventSearch {
  const { start_date, rounds_name, start_time, end_time } = filter;
  if (rounds_name !== undefined && window !== null) {
    return { start_time: window.achieve_start_time, end_time: window.achieve_end_time };
  }
  if (start_date === undefined || rounds_name !== undefined) {
    return picked(filter, ["start_time", "end_time"]);
  }
  const [start = "", end = ""] = [start_time, end_time];
  const [first, last] = [`${start_date} 00:00:00`, `${start_date} 23:59:59`];
  // Texts in the format `yyyy-MM-dd HH:mm:ss` sort by time.
  return {
    start_time: start > first ? start : first,
    end_time: end !== "" && end < last ? end : last,
  };
}

/**
 * Returns the query for an export with the filters of the form. An export of bets accepts no day and no activity
 * (spec §7), so the query contains their time range. The file then contains the rows of the list.
 */
export function exportQueryOf(tab: string, search: EventSearch, window: Window | null) {
  if (tab === BET_TAB) {
    const others = picked(search, ["user_name", "type"]);
    return { ...others, ...timesOf(search, window), kind: "betlog" as const };
  }
  return { ...picked(search, DEPOSIT_FILTERS), kind: "deposit" as const };
}
