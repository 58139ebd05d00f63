/** The inputs for judging a call of deposits or bets, read in one statement. */
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

/** Within this time before or after, a number identifies one deposit or bet of its player. */
export const NUMBER_HELD_MS = DAY_MS;

/** An incoming row in the names that both kinds share. */
export type IncomingEvent = PlayerPair & Omit<NewEvent, "player_key">;

/** Rows are named by their positions, from 0. */
export interface IngestInputs {
  /** The latest accepted millisecond: 24 hours from now by the database's clock. */
  readonly latest: number;
  /** First days of months that were detached, and of the rows' months that have no partition. */
  readonly detached: readonly string[];
  readonly missing: readonly string[];
  /** Of each row; null where `player_id` is unknown. */
  readonly player_keys: readonly (number | null)[] | null;
  readonly versions: readonly (number | null)[] | null;
  /** Rows whose `user_name` is not that of their known player. */
  readonly misnamed: readonly number[] | null;
  /** Rows of unknown players: how the database compares the name, and whether another player has it. */
  readonly unknown: readonly (readonly [number, string, boolean])[] | null;
  /**
   * Rows with a stored counterpart: the content of the same identity (`contentOf`), or null for the same number of the same
   * player at another time, up to `NUMBER_HELD_MS` away.
   */
  readonly earlier: readonly (readonly [number, string | null])[] | null;
}

/** Cents, codes and player_id as one text. player_id comes last because it may hold any character. */
export function contentOf({ amount_cents, codes, player_id }: IncomingEvent): string {
  return `${amount_cents} ${codes.join(" ")} ${player_id}`;
}

/**
 * The stored rows are read in a statement of their own, since they may lie on other machines. A player's rows found here
 * are complete as long as the player's version stays the same.
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
