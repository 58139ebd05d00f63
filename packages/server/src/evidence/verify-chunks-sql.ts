/** Checks the sums that stand for many deposits or bets of a player against the raw rows (behaviour §4). */
import { sql } from "kysely";
import type { Db } from "#platform/connection";
import { firstOffence } from "#platform/snapshot";
import type { Offence } from "#platform/snapshot";
import { RAW_ROWS } from "./verify-chances-sql.ts";

const VALUES = sql`jsonb_build_object('live', live, 'live_cents', live_cents, 'max_cents', max_cents,
  'fulls', fulls, 'gone', gone, 'gone_cents', gone_cents)`;

const selectWrongSums = (kind: "deposit" | "bet") =>
  firstOffence("event_chunk")`
    select place, ids, raw.found as expected, chunk.found
    from (
      select player_key, value_cents, platforms, from_at, to_at, ${VALUES} as found,
        row(player_key, value_cents, platforms, from_at) as place,
        jsonb_build_object('kind', kind, 'player_key', player_key, 'value_cents', value_cents,
          'platforms', platforms, 'from_at', from_at) as ids
      from event_chunk where kind = ${kind}
    ) chunk
    cross join lateral (
      select ${VALUES} as found
      from (
        select count(*) filter (where gone_at is null) as live,
          coalesce(sum(amount) filter (where gone_at is null), 0) as live_cents,
          coalesce(max(amount) filter (where gone_at is null), 0) as max_cents,
          coalesce(sum(amount / chunk.value_cents) filter (where gone_at is null), 0) as fulls,
          count(*) filter (where gone_at is not null) as gone,
          coalesce(sum(amount) filter (where gone_at is not null), 0) as gone_cents
        from (${RAW_ROWS[kind]}) e
        where e.player_key = chunk.player_key
          and (chunk.platforms = '{}' or e.platform = any(chunk.platforms))
          and e.created_at >= chunk.from_at and e.created_at < chunk.to_at
      ) sums
    ) raw
    where raw.found <> chunk.found`;

/** No row is in two chunks of the same owner. */
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

/** The first chunk that overlaps the next one or differs from its rows. */
export async function selectWrongChunk(snapshot: Db): Promise<Offence | null> {
  return (
    (await selectOverlap(snapshot)) ??
    (await selectWrongSums("deposit")(snapshot)) ??
    (await selectWrongSums("bet")(snapshot))
  );
}
