/** Players by what they have earned under a rule, and under the one before (behaviour §4, §16). */
import { CONDITION_NAMES } from "@red/contract/lookups";
import { countedRule } from "@red/engine/chances";
import type { AlikePlayers, GrantingRule } from "@red/engine/granted";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db } from "#platform/connection";
import type { ActivityRow } from "./activity-sql.ts";

export type WindowedRule = GrantingRule &
  Pick<ActivityRow, "tag" | "achieve_start_time" | "achieve_end_time" | "platforms">;

const ROWS = {
  deposit: { cents: sql.ref("amount_cents"), gone_at: sql.ref("reversed_at") },
  bet: { cents: sql.ref("valid_bet_cents"), gone_at: sql.ref("voided_at") },
} as const;
type Kind = keyof typeof ROWS;

const kindOf = (rule: WindowedRule | null) => (rule && countedRule(rule)?.source) ?? null;

/** SQL: is the row in the window, so many days ago, and on the rule's platforms? */
function countsIn(rule: WindowedRule, days: number): RawBuilder<boolean> {
  const { achieve_start_time: start, achieve_end_time: end, platforms } = rule;
  const ago = sql`make_interval(hours => ${24 * days}::int)`;
  const on = platforms === null ? sql`true` : sql`platform = any(${platforms}::smallint[])`;
  return sql<boolean>`created_at >= ${start}::timestamptz - ${ago}
    and created_at < ${end}::timestamptz + interval '1 second' - ${ago} and ${on}`;
}

/** SQL: how often a player's rows of the kind meet the rule; 0 where it counts others. */
function metBy(rule: WindowedRule | null, kind: Kind, days: number): RawBuilder<number> {
  const counted = rule && countedRule(rule);
  if (rule === null || counted === null || counted.source !== kind) {
    return sql<number>`0::bigint`;
  }
  const { cents } = ROWS[kind];
  const value = sql`${counted.value_cents}::bigint`;
  const isIn = countsIn(rule, days);
  if (counted.cumulative) {
    return sql<number>`coalesce(sum(${cents}) filter (where ${isIn}) / ${value}, 0)::bigint`;
  }
  return counted.repeatable
    ? sql<number>`coalesce(sum(${cents} / ${value}) filter (where ${isIn}), 0)::bigint`
    : sql<number>`coalesce(max(${cents}) filter (where ${isIn}) >= ${value}, false)::int::bigint`;
}

/** SQL: per player how often rows of the kind meet each rule. */
function metOf(kind: Kind, rules: readonly (WindowedRule | null)[], days: number) {
  const isOf = rules.filter((rule) => rule !== null && kindOf(rule) === kind);
  const any = sql.join(
    isOf.map((rule) => sql`(${rule === null ? sql`false` : countsIn(rule, days)})`),
    sql` or `,
  );
  const [before = null, after = null] = rules;
  return sql`
    select player_key, ${metBy(before, kind, days)} as before, ${metBy(after, kind, days)} as after
    from ${sql.table(kind)} where ${ROWS[kind].gone_at} is null and (${any}) group by player_key`;
}

/**
 * Groups of players who are neither blocked nor excluded, on the rows in the windows so many days before; with their draws
 * in the round `drawn_in`. Those without rows and extra times come only where a rule grants draws to everybody.
 */
export async function selectAlike(
  db: Db,
  before: WindowedRule | null,
  after: WindowedRule,
  { days = 0, drawn_in = null }: { readonly days?: number; readonly drawn_in?: number | null },
): Promise<AlikePlayers[]> {
  const rules = [before, after];
  const kinds = [...new Set(rules.map(kindOf))].filter((kind) => kind !== null);
  const none = sql`select null::bigint as player_key, 0::bigint as before, 0::bigint as after where false`;
  const met = kinds.map((kind) => metOf(kind, rules, days));
  const isForAll = rules.some((rule) => rule?.condition_name === CONDITION_NAMES.no_limit);
  const { rows } = await sql<
    Record<"count" | "b" | "a" | "was" | "will" | "already" | "used", number>
  >`
    with met as materialized (${sql.join(met.length === 0 ? [none] : met, sql` union all `)}),
    extra as materialized (
      select player_key, count(*) filter (where tag = ${before?.tag ?? null}) as was,
        count(*) filter (where tag = ${after.tag}) as will
      from extra_time where used_log_id is null and expire_time > now() - interval '1 second'
        and tag in (${before?.tag ?? null}, ${after.tag}) group by player_key
    ),
    drawn as materialized (
      select player_key, count(*) as already, count(extra_time_id) as used
      from draw_record where rounds_id = ${drawn_in}::integer group by player_key
    )
    select count(*) as count, coalesce(m.before, 0)::bigint as b, coalesce(m.after, 0)::bigint as a, coalesce(x.was, 0) as was,
      coalesce(x.will, 0) as will, coalesce(d.already, 0) as already, coalesce(d.used, 0) as used
    from player p
    ${sql.raw(isForAll ? "left" : "")} join (
      select player_key from met union select player_key from extra
    ) k using (player_key)
    left join (select player_key, sum(before) as before, sum(after) as after from met group by player_key) m using (player_key)
    left join extra x using (player_key)
    left join drawn d using (player_key)
    where not p.blocked and coalesce(p.excluded_until, '-infinity') <= now()
    group by 2, 3, 4, 5, 6, 7`.execute(db);
  return rows.map(({ count, b, a, was, will, already, used }) => ({
    count,
    before: { met: b, extras: was },
    after: { met: a, extras: will },
    already,
    used,
  }));
}
