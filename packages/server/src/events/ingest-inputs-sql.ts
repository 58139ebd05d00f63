import { DAY_MS } from "@red/contract/platform/datetime";
import type { EventKind } from "@red/contract/events/event";
import { sql } from "kysely";
import { plainArray, textArray } from "#platform/db/sql-parts";
import type { Db } from "#platform/db/connection";
import { oneRow } from "#platform/db/one-row";
import { columnsOf } from "./event-columns.ts";
import { CREATED_AT, instantOf, monthsOf } from "./event-sql.ts";
import type { NewEvent } from "./event-slots-sql.ts";
import type { Numbered } from "./ingest-rows.ts";
import type { PlayerPair } from "#players/player-sql";

/** For this long before and after a deposit or bet, its player cannot use its number again. */
export const NUMBER_HELD_MS = DAY_MS;

/** An incoming row, with field names that both kinds share. */
export type IncomingEvent = PlayerPair & Omit<NewEvent, "player_key">;

/** Rows are identified by their positions, from 0. */
export interface IngestInputs {
  /** The latest accepted millisecond: 24 hours after the database time. */
  readonly latest: number;
  /**
   * First days of the detached months. `missing` are first days of months that the rows need and
   * that have no partition.
   */
  readonly detached: readonly string[];
  readonly missing: readonly string[];
  /** The player key of each row; null if the `player_id` is unknown. `versions` likewise. */
  readonly player_keys: readonly (number | null)[] | null;
  readonly versions: readonly (number | null)[] | null;
  readonly misnamed: readonly number[] | null;
  /**
   * Rows of unknown players: the position, the name in the form that the database compares, and
   * whether another player has this name.
   */
  readonly unknown: readonly (readonly [number, string, boolean])[] | null;
  /**
   * Rows with an earlier stored row: the content of the row with the same identity (`contentOf`),
   * or null if the same player has the same number at another time, up to `NUMBER_HELD_MS` away.
   */
  readonly earlier: readonly (readonly [number, string | null])[] | null;
}

/** Returns cents, codes and player_id as one text. player_id comes last because it may contain any character. */
export function contentOf({ amount_cents, codes, player_id }: IncomingEvent): string {
  return `${amount_cents} ${codes.join(" ")} ${player_id}`;
}

/**
 * Reads the stored rows in a separate statement, because they may be on other machines. The rows
 * found for a player are complete while the version of the player stays the same.
 */
export async function selectIngestInputs(
  db: Db,
  kind: EventKind,
  entries: readonly Numbered<IncomingEvent>[],
): Promise<IngestInputs> {
  const rows = entries.map(({ row }) => row);
  const { no, cents, codes } = columnsOf(kind);
  const instants = rows.map(({ at }) => at);
  const first = instants.reduce((one, other) => Math.min(one, other), Number.MAX_SAFE_INTEGER);
  const last = instants.reduce((one, other) => Math.max(one, other), 0);
  const held = sql`${NUMBER_HELD_MS}::bigint * interval '1 ms'`;
  const { rows: found } = await sql<IngestInputs>`
    with x as materialized (
      select x.*, ${CREATED_AT} as created_at, lower(x.user_name) as name_key, p.player_key, p.version,
        p.user_name_key
      from unnest(${plainArray(instants)}::bigint[], ${textArray(rows.map((row) => row.no))}::text[],
                  ${textArray(rows.map((row) => row.player_id))}::text[],
                  ${textArray(rows.map((row) => row.user_name))}::text[])
        with ordinality as x (at, no, player_id, user_name, position)
      left join lateral (select * from player where player_id = x.player_id limit 1) p on true
    ),
    e as materialized (
      select e.* from ${sql.table(kind)} e
      where e.${no} = any(${textArray(rows.map((row) => row.no))}::text[])
        and e.created_at between ${instantOf(first)} - ${held} and ${instantOf(last)} + ${held}
    )
    select (extract(epoch from now()) * 1000)::bigint + 86400000 as latest,
      (select coalesce(json_agg(month), '[]') from detached_month where kind = ${kind}) as detached,
      (select coalesce(json_agg(month), '[]') from unnest(${plainArray(monthsOf(instants))}::date[]) month
        where to_regclass(${kind} || to_char(month, '_YYYYMM')) is null) as missing,
      json_agg(x.player_key order by x.position) as player_keys,
      json_agg(x.version order by x.position) as versions,
      json_agg(x.position - 1) filter (where x.user_name_key <> x.name_key) as misnamed,
      json_agg(json_build_array(x.position - 1, x.name_key,
        exists (select from player h where h.user_name_key = x.name_key)))
        filter (where x.player_key is null) as unknown,
      (select json_agg(json_build_array(x.position - 1, case when e.created_at = x.created_at then
          concat_ws(' ', ${sql.join([cents, ...codes].map((column) => sql`e.${column}`))}, p.player_id) end))
        from x join e on e.${no} = x.no and e.created_at between x.created_at - ${held} and x.created_at + ${held}
          and (e.created_at = x.created_at or e.player_key = x.player_key)
        join player p on p.player_key = e.player_key) as earlier
    from x`.execute(db);
  return oneRow(found);
}
