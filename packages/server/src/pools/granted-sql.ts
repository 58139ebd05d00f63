/** Counts the players by the number of draws that they earned under the old and the new rule (behaviour §4, §16). */
import { DAY_MS } from "@red/contract/platform/datetime";
import { CONDITION_NAMES } from "@red/contract/platform/codes";
import { countedRule } from "@red/engine/chances";
import type { AlikePlayers, GrantingRule } from "@red/engine/granted";
import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import type { Db } from "#platform/db/connection";
import { oneRow } from "#platform/db/one-row";
import { firstIdOf, minuteOf } from "#platform/db/time-ids";
import type { Database } from "#platform/db/schema";

export type WindowedRule = GrantingRule &
  Pick<
    Selectable<Database["activity"]>,
    "tag" | "achieve_start_time" | "achieve_end_time" | "platforms"
  >;

const ROWS = {
  deposit: { cents: sql.ref("amount_cents"), gone_at: sql.ref("reversed_at") },
  bet: { cents: sql.ref("valid_bet_cents"), gone_at: sql.ref("voided_at") },
} as const;
type Kind = keyof typeof ROWS;

const kindOf = (rule: WindowedRule | null) => (rule && countedRule(rule)?.source) ?? null;

type Rules = readonly [before: WindowedRule | null, after: WindowedRule];

/**
 * Milliseconds between the windows and the same hours on an earlier day. `days` 1 is the last day
 * on which all windows were over, 2 the day before that day. Returns 0 for `days` 0.
 */
function agoOf(rules: Rules, days: number): number {
  const ends = rules.map((rule) => Number(kindOf(rule) === null ? 0 : rule?.achieve_end_time));
  const ahead = Math.ceil((Math.max(...ends) + 1_000 - Date.now()) / DAY_MS);
  return days === 0 ? 0 : DAY_MS * (Math.max(1, ahead) + days - 1);
}

/** Returns the window moved back by `ago` milliseconds. The last second of a window belongs to it. */
function spanOf({ achieve_start_time, achieve_end_time }: WindowedRule, ago: number) {
  return {
    from: new Date(achieve_start_time.getTime() - ago),
    to: new Date(achieve_end_time.getTime() + 1_000 - ago),
  };
}

type Span = ReturnType<typeof spanOf>;

/**
 * SQL: whether the time of a row is in the window. When few rows match, the id range is checked too
 * (platform/db/time-ids.ts): the id index contains only times, while the player index contains all
 * columns that the query adds up.
 */
function isWithin({ from, to }: Span, areFew: boolean): RawBuilder<boolean> {
  const [first, end] = [firstIdOf(from.getTime()), firstIdOf(to.getTime())];
  const byId = areFew ? sql`id >= ${first}::bigint and id < ${end}::bigint` : sql`true`;
  return sql<boolean>`created_at >= ${from} and created_at < ${to} and ${byId}`;
}

/** Counts the rows of this kind in the window, and in all months that overlap the window. Reads the rollups. */
async function selectCounts(db: Db, kind: Kind, { from, to }: Span) {
  const month = (at: Date) => sql`date_trunc('month', ${at}::timestamptz, 'UTC')`;
  const total = (first: RawBuilder<unknown>, last: RawBuilder<unknown>) => sql<number>`(
    select n from rollup_total(${kind}, greatest(0, ${minuteOf(first)}), ${minuteOf(last)} + 1, null, null))`;
  const { rows } = await sql<{ within: number; all: number }>`
    select ${total(sql`${from}::timestamptz`, sql`${to}::timestamptz`)} as within,
      ${total(month(from), sql`${month(to)} + interval '1 month'`)} as all`.execute(db);
  return oneRow(rows);
}

/** SQL: how many times the rows of a player satisfy the rule. */
function metBy(rule: WindowedRule | null, kind: Kind, ago: number): RawBuilder<number> {
  const counted = rule && countedRule(rule);
  if (rule === null || counted?.source !== kind) {
    return sql<number>`0::bigint`;
  }
  const { cents } = ROWS[kind];
  const value = sql`${counted.value_cents}::bigint`;
  const { from, to } = spanOf(rule, ago);
  const on =
    rule.platforms === null ? sql`true` : sql`platform = any(${rule.platforms}::smallint[])`;
  const isIn = sql`created_at >= ${from} and created_at < ${to} and ${on}`;
  if (counted.cumulative) {
    return sql<number>`coalesce(div(sum(${cents}) filter (where ${isIn}), ${value}), 0)::bigint`;
  }
  return counted.repeatable
    ? sql<number>`coalesce(sum(${cents} / ${value}) filter (where ${isIn}), 0)::bigint`
    : sql<number>`coalesce(max(${cents}) filter (where ${isIn}) >= ${value}, false)::int::bigint`;
}

/**
 * SQL: how many times the rows of each player satisfy each rule. Returns null when the windows
 * contain no rows of this kind.
 */
async function metOf(db: Db, kind: Kind, rules: Rules, ago: number) {
  const [before, after] = rules;
  const spans = rules.flatMap((rule) =>
    rule !== null && kindOf(rule) === kind ? [spanOf(rule, ago)] : [],
  );
  const whole = {
    from: new Date(Math.min(...spans.map(({ from }) => from.getTime()))),
    to: new Date(Math.max(...spans.map(({ to }) => to.getTime()))),
  };
  const { within, all } = await selectCounts(db, kind, whole);
  if (within === 0) {
    return null;
  }
  return sql`
    select player_key, ${metBy(before, kind, ago)} as before, ${metBy(after, kind, ago)} as after
    from ${sql.table(kind)} where ${isWithin(whole, within < all / 4)} and ${ROWS[kind].gone_at} is null group by player_key`;
}

/**
 * Groups the players that have equal numbers of earned and used draws. Reads the rows in the windows on an earlier day
 * (`days` as in `agoOf`) and the draws in the round `drawn_in`. Excluded players count, because an exclusion ends;
 * blocked players do not. A player without rows and extra times is included only if a rule grants draws to everybody.
 */
export async function selectAlike(
  db: Db,
  before: WindowedRule | null,
  after: WindowedRule,
  { days, drawn_in }: { readonly days: number; readonly drawn_in: number | null },
): Promise<AlikePlayers[]> {
  const rules = [before, after] as const;
  const kinds = [...new Set(rules.map(kindOf))].filter((kind) => kind !== null);
  const met = kinds.map((kind) => metOf(db, kind, rules, agoOf(rules, days)));
  const [one, other] = (await Promise.all(met)).filter((found) => found !== null);
  const none = sql`select null::bigint as player_key, 0::bigint as before, 0::bigint as after where false`;
  const isForAll = rules.some((rule) => rule?.condition_name === CONDITION_NAMES.no_limit);
  // Few players are blocked, so an anti-join on them is cheaper than a join with all players.
  const people = isForAll
    ? sql`(select player_key from player where not blocked) p left join met k using (player_key)`
    : sql`(select * from met where not exists (
        select from player p where p.player_key = met.player_key and p.blocked)) k`;
  const { rows } = await sql<
    Record<"count" | "b" | "a" | "was" | "will" | "already" | "used", number>
  >`
    with one as materialized (${one ?? none}),
    other as materialized (${other ?? none}),
    extra as materialized (
      select player_key, count(*) filter (where tag = ${before?.tag ?? null}) as was,
        count(*) filter (where tag = ${after.tag}) as will
      from extra_time where used_log_id is null and expire_time > now() - interval '1 second'
        and tag in (${before?.tag ?? null}, ${after.tag}) group by player_key
    ),
    met as (
      select player_key, coalesce(m.before, 0) + coalesce(n.before, 0) as before,
        coalesce(m.after, 0) + coalesce(n.after, 0) as after, was, will
      from one m full join other n using (player_key) full join extra using (player_key)
    ),
    drawn as materialized (
      select player_key, count(*) as already, count(extra_time_id) as used
      from draw_record where rounds_id = ${drawn_in}::integer group by player_key
    )
    select count(*) as count, coalesce(k.before, 0) as b, coalesce(k.after, 0) as a, coalesce(k.was, 0) as was,
      coalesce(k.will, 0) as will, coalesce(d.already, 0) as already, coalesce(d.used, 0) as used
    from ${people}
    left join drawn d using (player_key)
    group by 2, 3, 4, 5, 6, 7`.execute(db);
  return rows.map(({ count, b, a, was, will, already, used }) => ({
    count,
    before: { met: b, extras: was },
    after: { met: a, extras: will },
    already,
    used,
  }));
}
