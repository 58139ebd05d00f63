/**
 * Checks chunks against the raw rows (behaviour §4). A chunk stores the totals of many deposits or bets of a player.
 */
import { sql } from "kysely";
import type { Db } from "#platform/db/connection";
import { firstOffence } from "#platform/db/snapshot";
import type { Offence } from "#platform/db/snapshot";
import { RAW_ROWS } from "./verify-chances-sql.ts";

const VALUES = sql`jsonb_build_object('live', live, 'live_cents', live_cents, 'max_cents', max_cents,
  'fulls', fulls, 'gone', gone, 'gone_cents', gone_cents)`;

/** The totals of a chunk without rows. */
const NOTHING = sql`jsonb_build_object('live', 0, 'live_cents', 0, 'max_cents', 0, 'fulls', 0, 'gone', 0, 'gone_cents', 0)`;

const selectWrongSums = (kind: "deposit" | "bet") =>
  firstOffence("event_chunk")`
    with chunk as materialized (
      select c.*, row_number() over () as no from event_chunk c where kind = ${kind}
    ),
    sums as materialized (
      select chunk.no, count(*) filter (where gone_at is null) as live,
        coalesce(sum(amount) filter (where gone_at is null), 0) as live_cents,
        coalesce(max(amount) filter (where gone_at is null), 0) as max_cents,
        coalesce(sum(amount / chunk.value_cents) filter (where gone_at is null), 0) as fulls,
        count(*) filter (where gone_at is not null) as gone,
        coalesce(sum(amount) filter (where gone_at is not null), 0) as gone_cents
      from chunk join (${RAW_ROWS[kind]}) e on e.player_key = chunk.player_key
        and (chunk.platforms = '{}' or e.platform = any(chunk.platforms))
        and e.created_at >= chunk.from_at and e.created_at < chunk.to_at
      group by chunk.no
    ),
    compared as (
      select row(c.player_key, c.value_cents, c.platforms, c.from_at) as place,
        jsonb_build_object('kind', c.kind, 'player_key', c.player_key, 'value_cents', c.value_cents,
          'platforms', c.platforms, 'from_at', c.from_at) as ids,
        coalesce((select ${VALUES} from sums s where s.no = c.no), ${NOTHING}) as expected,
        ${VALUES} as found
      from chunk c
    )
    select place, ids, expected, found from compared
    where expected <> found`;

/** Checks that chunks of one player and rule do not overlap. */
const selectOverlap = firstOffence("event_chunk")`
  select row(kind, player_key, value_cents, platforms, from_at) as place,
    jsonb_build_object('kind', kind, 'player_key', player_key, 'value_cents', value_cents,
      'platforms', platforms, 'from_at', from_at) as ids,
    jsonb_build_object('to_at', 'at most ' || next_at) as expected,
    jsonb_build_object('to_at', to_at) as found
  from (
    select *, lead(from_at) over (partition by kind, player_key, value_cents, platforms order by from_at)
      as next_at
    from event_chunk
  ) c
  where to_at > next_at`;

/** Returns the first chunk that overlaps the next chunk or differs from its rows. */
export async function selectWrongChunk(snapshot: Db): Promise<Offence | null> {
  return (
    (await selectOverlap(snapshot)) ??
    (await selectWrongSums("deposit")(snapshot)) ??
    (await selectWrongSums("bet")(snapshot))
  );
}
