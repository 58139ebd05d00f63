/** Facts of the deposits or bets that earn draws (behaviour §4). */
import type { EventKind } from "@red/contract/explanation";
import type { EarningFacts } from "@red/engine/chances";
import { sql } from "kysely";
import type { Db } from "#platform/connection";
import { askForChunks, MANY_ROWS, onPlatforms, selectEventSums } from "./event-chunk-sql.ts";
import type { EventSpan, RowSums } from "./event-chunk-sql.ts";
import { columnsOf } from "./event-columns.ts";

/** The rows that earn draws, and how their facts are computed. */
export interface EarningWindow {
  readonly start: Date;
  /** To the second; that second is included. */
  readonly end: Date;
  /** The condition value, above 0. */
  readonly value_cents: number;
  /** Bets on these count; empty: on all. */
  readonly platforms: readonly number[];
  /** Sums are capped here. */
  readonly limit: number;
}

/** The window from its start to the end of its last second. */
export function spanOf({ start, end }: Pick<EarningWindow, "start" | "end">) {
  return { from: start, to: new Date(end.getTime() + 1_000) } satisfies EventSpan;
}

export function factsOfSums(
  { live_cents, max_cents, fulls }: RowSums,
  limit: number,
): EarningFacts {
  return {
    sum_cents: Math.min(Number(live_cents), limit),
    max_cents,
    fulls: Math.min(Number(fulls), limit),
  };
}

/** As `selectEventFacts`, without the players that have chunks: most reads need no more than this. */
async function selectPlainFacts(
  db: Db,
  kind: EventKind,
  window: EarningWindow,
  player_keys: readonly number[],
): Promise<Map<number, EarningFacts>> {
  const { cents, cancelled_at } = columnsOf(kind);
  const { platforms, value_cents } = window;
  const counting = sql`filter (where ${onPlatforms(platforms)})`;
  // The offset keeps the planner from adding up a player's rows before it leaves the player out.
  const { rows } = await sql<{ player_key: number; read: number } & EarningFacts>`
    select p.player_key, f.*
    from (
      select player_key from player p
      where p.player_key = any(${player_keys}::bigint[]) and not exists (
        select from event_chunk c
        where c.kind = ${kind} and c.player_key = p.player_key
          and c.value_cents = ${value_cents}::bigint and c.platforms = ${platforms}::smallint[]
      )
      offset 0
    ) p
    cross join lateral (
      select
        least(coalesce(sum(e.${cents}) ${counting}, 0), ${window.limit}::bigint)::bigint as sum_cents,
        coalesce(max(e.${cents}) ${counting}, 0) as max_cents,
        least(coalesce(sum(e.${cents} / ${value_cents}::bigint) ${counting}, 0),
              ${window.limit}::bigint)::bigint as fulls,
        count(*) as read
      from ${sql.table(kind)} e
      where e.player_key = p.player_key and e.${cancelled_at} is null
        and e.created_at >= ${window.start}::timestamptz
        and e.created_at < ${window.end}::timestamptz + interval '1 second'
    ) f`.execute(db);
  for (const { player_key, read } of rows) {
    const owner = { kind, player_key, value_cents, platforms };
    await askForChunks(db, owner, read > MANY_ROWS);
  }
  return new Map(rows.map(({ player_key, read: _read, ...facts }) => [player_key, facts]));
}

/**
 * Facts of the players' counting deposits or bets: in the window, its last second included, neither reversed
 * nor void (behaviour §4). By `player_key`, of one snapshot; unknown players are left out.
 */
export async function selectEventFacts(
  db: Db,
  kind: EventKind,
  window: EarningWindow,
  player_keys: readonly number[],
): Promise<Map<number, EarningFacts>> {
  const facts = await selectPlainFacts(db, kind, window, player_keys);
  const rest = player_keys.filter((player_key) => !facts.has(player_key));
  if (rest.length > 0) {
    const { value_cents, platforms, limit } = window;
    const span = spanOf(window);
    for (const sums of await selectEventSums(db, kind, value_cents, span, rest, platforms)) {
      facts.set(sums.player_key, factsOfSums(sums, limit));
    }
  }
  return facts;
}
