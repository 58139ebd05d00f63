/**
 * Reads raw deposits and bets to check earned chances (behaviour §4). It does not use chance-sql.ts, because this
 * check must be independent of that file.
 */
import type { EarningFacts } from "@red/engine/chances";
import { sql } from "kysely";
import type { Db } from "#platform/db/connection";
import { countedKind, touchesMonth } from "#rounds/detached-month-sql";
import { streamRows } from "#platform/db/snapshot";

/**
 * A reversal commits later than its timestamp, and draws see it only after the commit. During this time the
 * reversed row still counts.
 */
const REVERSAL_GRACE = "10 seconds";

/** Totals are capped here, so that they stay safe integers. Nobody can use so many chances. */
const SUM_MAX = 1_000_000_000_000_000;

export interface LastEarned {
  readonly player_key: number;
  readonly rounds_id: number;
  readonly rule_version: number;
  readonly log_id: number;
  readonly drawn_at: Date;
  /** Number of the player's earned draws in the round up to this draw, under all versions. */
  readonly earned: number;
}

/**
 * Streams the last earned draw per player, round and rule version. Earlier draws need no check, because they
 * needed fewer of the same rows.
 */
export function streamLastEarned(snapshot: Db): AsyncGenerator<LastEarned[]> {
  return streamRows<LastEarned>(
    snapshot,
    sql`
      select distinct on (player_key, rounds_id, rule_version)
        player_key, rounds_id, rule_version, id as log_id, created_at as drawn_at, earned
      from (
        select player_key, rounds_id, rule_version, id, created_at, draw_no,
          row_number() over (partition by player_key, rounds_id order by draw_no) as earned
        from draw_record
        where extra_time_id is null
      ) numbered
      order by player_key, rounds_id, rule_version, draw_no desc`,
  );
}

export interface FactsQuestion {
  readonly player_key: number;
  readonly start: Date;
  /** End of the time window. The whole second is included. */
  readonly end: Date;
  readonly value_cents: number;
  /** Null means that bets on all platforms count. */
  readonly platforms: readonly number[] | null;
  readonly drawn_at: Date;
}

interface RawFacts extends EarningFacts {
  /** Whether rows of the time window were detached. Then the remaining rows prove nothing. */
  readonly is_detached: boolean;
}

export const RAW_ROWS = {
  deposit: sql`
    select amount_cents as amount, created_at, player_key, reversed_at as gone_at,
      null::smallint as platform
    from deposit`,
  bet: sql`
    select valid_bet_cents as amount, created_at, player_key, voided_at as gone_at, platform from bet`,
} as const;

/** Returns rounds with draws whose deposits or bets were detached. Their chances are not checked. */
export async function selectUncheckedRounds(snapshot: Db): Promise<number[]> {
  const { rows } = await sql<{ rounds_id: number }>`
    select distinct v.rounds_id
    from activity_rule v
    join detached_month d on d.kind = ${countedKind(sql`v.rule->>'condition_name'`)}
      and ${touchesMonth(
        sql`d.month`,
        sql`(v.rule->>'achieve_start_time')::timestamptz`,
        sql`(v.rule->>'achieve_end_time')::timestamptz`,
      )}
    where exists (select from draw_record r where r.rounds_id = v.rounds_id)
    order by 1`.execute(snapshot);
  return rows.map(({ rounds_id }) => rounds_id);
}

/** Returns the facts of one source, in the order of the questions. */
export async function selectRawFacts(
  snapshot: Db,
  source: "deposit" | "bet",
  asked: readonly FactsQuestion[],
): Promise<RawFacts[]> {
  if (asked.length === 0) {
    return [];
  }
  // A separate subquery first joins and adds up the rows, because they may be on other machines.
  const { rows } = await sql<RawFacts>`
    with q as materialized (
      select * from unnest(${asked.map((one) => one.player_key)}::bigint[],
                ${asked.map((one) => one.start.toISOString())}::timestamptz[],
                ${asked.map((one) => one.end.toISOString())}::timestamptz[],
                ${asked.map((one) => one.value_cents)}::bigint[],
                ${asked.map((one) => one.drawn_at.toISOString())}::timestamptz[],
                ${asked.map(({ platforms }) => platforms && `{${platforms.join()}}`)}::text[])
        with ordinality as q (player_key, opens, closes, value_cents, drawn_at, platforms, place)
    ),
    facts as materialized (
      select q.place, sum(e.amount) as sum_cents, max(e.amount) as max_cents,
        sum(e.amount / q.value_cents) as fulls
      from q join (${RAW_ROWS[source]}) e on e.player_key = q.player_key and e.created_at >= q.opens
        and e.created_at < q.closes + interval '1 second'
        and (q.platforms is null or e.platform = any(q.platforms::smallint[]))
        and (e.gone_at is null
          or e.gone_at + ${REVERSAL_GRACE}::interval > q.drawn_at)
      group by q.place
    )
    select least(coalesce(f.sum_cents, 0), ${SUM_MAX}::bigint)::bigint as sum_cents,
      coalesce(f.max_cents, 0) as max_cents, least(coalesce(f.fulls, 0), ${SUM_MAX}::bigint)::bigint as fulls,
      exists (
        select from detached_month d
        where d.kind = ${source} and ${touchesMonth(sql`d.month`, sql`q.opens`, sql`q.closes`)}) as is_detached
    from q left join facts f using (place)
    order by q.place`.execute(snapshot);
  return rows;
}
