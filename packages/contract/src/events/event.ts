import * as z from "zod/mini";
import { date, dateTime, filterText, id } from "#platform/fields";
import { plain } from "#platform/marks";

export const EVENT_KINDS = ["deposit", "bet"] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** A deposit or bet with at least this delay has arrived late. */
export const LATE_ARRIVAL_MS = 60_000;

/** When a deposit or bet reached us, in lists and explanations. */
export const arrivalShape = {
  /** Null if the row is older than this field. */
  received_at: z.nullable(plain()),
  is_late: z.boolean(),
};

/**
 * A round (given by number, or by name and day) filters by its condition window. Without a round, the day and
 * the times both apply.
 */
export const eventFilterShape = {
  user_name: z.optional(filterText()),
  start_time: z.optional(dateTime()),
  end_time: z.optional(dateTime()),
  start_date: z.optional(date()),
  rounds_name: z.optional(filterText()),
  rounds_id: z.optional(id()),
};

export interface NamedRound {
  readonly start_date?: string | undefined;
  readonly rounds_name?: string | undefined;
  readonly rounds_id?: number | undefined;
}

/**
 * A name needs its day, because other days have rounds of equal name. `isRead` tells whether the call uses
 * the name at all.
 */
export function nameWithDay<T extends NamedRound>(isRead: (body: T) => boolean = () => true) {
  return z.refine<T>(
    (body) =>
      body.rounds_name === undefined ||
      body.rounds_id !== undefined ||
      body.start_date !== undefined ||
      !isRead(body),
    { error: "draw_info_date", path: ["start_date"] },
  );
}
