/** Reads the filters of deposits and bets (behaviour §11). */
import { dayBounds, parseDateTime } from "@red/contract/platform/datetime";
import type { eventFilterShape } from "@red/contract/events/event";
import type { Db } from "#platform/db/connection";
import { requireRound } from "#rounds/activity-sql";
import type { EventTimes } from "./event-list-sql.ts";
import { selectPlayerByName } from "#players/player-sql";
import type * as z from "zod/mini";

export type EventFields = z.output<z.ZodMiniObject<typeof eventFilterShape>>;

type Times = Pick<EventTimes, "start" | "end">;

/** Returns the end of the second: the end second belongs to the range (behaviour §1). */
function afterSecond(instant: Date): Date {
  return new Date(instant.getTime() + 1_000);
}

async function windowOfRound(db: Db, fields: EventFields): Promise<Times | null> {
  if (fields.rounds_id === undefined && fields.rounds_name === undefined) {
    return null;
  }
  const { achieve_start_time, achieve_end_time } = await requireRound(db, fields);
  return { start: achieve_start_time, end: afterSecond(achieve_end_time) };
}

function pick(instants: readonly (Date | null)[], choose: (...ms: number[]) => number) {
  const times = instants.filter((instant) => instant !== null).map((instant) => instant.getTime());
  return times.length === 0 ? null : new Date(choose(...times));
}

function timesOf({ start_date, start_time, end_time }: EventFields, timeZone: string): Times {
  const day = start_date === undefined ? null : dayBounds(start_date, timeZone);
  const from = start_time === undefined ? null : parseDateTime(start_time, timeZone);
  const to = end_time === undefined ? null : parseDateTime(end_time, timeZone);
  return {
    start: pick([day?.start ?? null, from], Math.max),
    end: pick([day?.end ?? null, to && afterSecond(to)], Math.min),
  };
}

/**
 * Reads the filter from the fields. Returns null if the account does not exist, because no row can
 * match. Throws activity_not_found if the round does not exist.
 */
export async function readEventFilter(
  db: Db,
  fields: EventFields,
  timeZone: string,
): Promise<EventTimes | null> {
  const times = (await windowOfRound(db, fields)) ?? timesOf(fields, timeZone);
  if (fields.user_name === undefined) {
    return { player_key: null, ...times };
  }
  const player = await selectPlayerByName(db, fields.user_name);
  return player === null ? null : { player_key: player.player_key, ...times };
}
