/** Address fields of deposits and bets (spec §2, behaviour §11). */
import type { Activity } from "@red/contract/rounds/activity";
import { listSearchOf } from "#lib/search.ts";

/** Values of the tabs (spec §2). */
export const DEPOSIT_TAB = "0";
export const BET_TAB = "1";

/** Filters kept when switching tabs. */
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

/** The condition window searched, if an activity of the day is named. */
export type Window = Pick<Activity, "achieve_start_time" | "achieve_end_time">;

export function picked(search: EventSearch, names: readonly EventField[]): EventSearch {
  return Object.fromEntries(
    names.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  );
}

/* Texts `yyyy-MM-dd HH:mm:ss` sort as instants do. */
function later(first: string, second: string | undefined): string {
  return second !== undefined && second > first ? second : first;
}

function earlier(first: string, second: string | undefined): string {
  return second !== undefined && second < first ? second : first;
}

/** The time span that day, activity and times of the filter amount to. */
function timesOf(filter: EventSearch, window: Window | null): EventSearch {
  const { start_date, rounds_name, start_time, end_time } = filter;
  if (rounds_name !== undefined && window !== null) {
    return { start_time: window.achieve_start_time, end_time: window.achieve_end_time };
  }
  if (start_date === undefined || rounds_name !== undefined) {
    return picked(filter, ["start_time", "end_time"]);
  }
  return {
    start_time: later(`${start_date} 00:00:00`, start_time),
    end_time: earlier(`${start_date} 23:59:59`, end_time),
  };
}

/**
 * The export of what the form says. An export of bets takes no day or activity (spec §7): their time span
 * replaces them, so that the file holds the rows of the list.
 */
export function exportQueryOf(tab: string, search: EventSearch, window: Window | null) {
  if (tab === BET_TAB) {
    const filter = picked(search, BET_FILTERS);
    const { start_date: _day, rounds_name: _name, ...rest } = filter;
    return { ...rest, ...timesOf(filter, window), kind: "betlog" as const };
  }
  return { ...picked(search, DEPOSIT_FILTERS), kind: "deposit" as const };
}
