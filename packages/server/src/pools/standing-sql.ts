/** Reads the rounds that have not ended, and their pools, to value a change (behaviour §16). */
import { parseCents } from "@red/contract/platform/money";
import { PACE_MINUTES } from "@red/contract/watch/watch";
import type { PricedPrize } from "@red/engine/odds";
import { perHour } from "@red/engine/pace";
import type { CountingRound, StandingPool } from "@red/engine/risk";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db } from "#platform/db/connection";
import { oneRow } from "#platform/db/one-row";
import { minuteOf } from "#platform/db/time-ids";
import type { WindowedRule } from "./granted-sql.ts";
import { selectValues } from "#platform/db/setting-sql";

/** Number of past days that count for peaks and usual worth. */
const DAYS = 28;

/** Start of the transaction: the same time before and after the change. */
const now = sql`now()`;
const isCounting = sql<boolean>`(a.deleted_at is null and ${now} < a.end_time + interval '1 second')`;
const firstMinute = sql`${minuteOf(now)} - ${DAYS * 1_440}::int`;

/** A round that has not ended, with its current rule. */
export type RuledRound = Pick<CountingRound, "id" | "pool_id" | "start_date" | "seconds_left"> &
  WindowedRule & { readonly version: number; readonly created_at: Date };

export async function selectCounting(db: Db, pool_ids: readonly number[]): Promise<RuledRound[]> {
  const left = sql<number>`greatest(0,
    ceil(extract(epoch from a.end_time + interval '1 second' - greatest(${now}, a.start_time))))::bigint`;
  return await db
    .selectFrom("activity as a")
    .selectAll()
    .select(left.as("seconds_left"))
    .where("a.pool_id", "=", sql<number>`any(${pool_ids}::bigint[])`)
    .where(isCounting)
    .orderBy("a.id")
    .execute();
}

/**
 * Returns the highest number of draws of each round in ten minutes of the last 28 days. A round
 * without draws gets the highest number of any round that is or was in its group.
 */
export async function selectPeaks(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) {
    return new Map();
  }
  const { rows } = await sql<{ id: number; peak: number }>`
    with own as materialized (
      select a.id, a.tag, exists (
        select from rollup r where r.list = 'draw_record' and r.width = 1 and r.a = 1 and r.b = a.id
          and r.start > ${firstMinute}
      ) or exists (select from rollup_delta r where r.list = 'draw_record' and r.a = 1 and r.b = a.id) as drew
      from activity a where a.id = any(${ids}::integer[])
    ),
    grouped as materialized (
      select id as rounds_id, tag from own
      union select r.id, w.tag from (select distinct tag from own where not drew) w
      join activity r on r.tag = w.tag
        or exists (select from activity_rule v where v.rounds_id = r.id and v.rule ->> 'tag' = w.tag)
    ),
    minute as materialized (
      select x.b as rounds_id, x.at, sum(x.n) as n
      from (
        select b, start as at, n from rollup
        where list = 'draw_record' and width = 1 and a = 1 and start > ${firstMinute}
          and b in (select rounds_id from grouped)
        union all
        select b, minute, n from rollup_delta
        where list = 'draw_record' and a = 1 and minute > ${firstMinute}
      ) x
      group by x.b, x.at
    ),
    peak as (
      select rounds_id, max(n) as n from (
        select rounds_id, sum(n) over (partition by rounds_id order by at range between 9 preceding and current row) as n
        from minute
      ) ten group by rounds_id
    )
    select o.id, coalesce(
      (select p.n from peak p where p.rounds_id = o.id),
      (select max(p.n) from peak p join grouped g using (rounds_id) where g.tag = o.tag), 0)::bigint as peak
    from own o`.execute(db);
  return new Map(rows.map(({ id, peak }) => [id, peak]));
}

/** Returns the draws per hour of the running rounds of each pool, at their current pace. */
async function selectPaces(db: Db, pool_ids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ pool_id: number; n: number; ms: number }>`
    select a.pool_id, t.n::integer as n, extract(epoch from ${now} - a.start_time)::bigint * 1000 as ms
    from (select ${minuteOf(now)} as at) now
    join activity a on a.pool_id = any(${pool_ids}::bigint[]) and a.rounds_status = 1
      and ${isCounting} and ${now} >= a.start_time
    cross join lateral
      rollup_total('draw_record', now.at - ${sql.lit(PACE_MINUTES - 1)}, now.at + 1, '{1}', array[a.id::bigint]) t`.execute(
    db,
  );
  const paces = new Map<number, number>();
  for (const { pool_id, n, ms } of rows) {
    paces.set(pool_id, (paces.get(pool_id) ?? 0) + perHour(n, PACE_MINUTES, ms));
  }
  return paces;
}

async function selectGoodsCents(db: Db): Promise<number> {
  // The settings only accept a valid amount.
  return parseCents((await selectValues(db)).goods_value) ?? 0;
}

/** SQL: the price of a piece; goods have the price of the setting. */
const priceAt = (goods: number, of: string) => {
  const cents = sql.ref(`${of}.award_price_cents`);
  return sql`case ${cents} when 0 then ${goods}::bigint else ${cents} end`;
};

/** What is left of the pools' prizes now, by pool. */
async function selectLeft(db: Db, pool_ids: readonly number[]) {
  const goods = await selectGoodsCents(db);
  const { rows } = await sql<PricedPrize & { readonly pool_id: number }>`
    select z.id, z.pool_id, z.weight, z.floors, ${priceAt(goods, "z")} as award_price_cents, z.award_total - z.drawn as left
    from prize z where z.pool_id = any(${pool_ids}::bigint[]) and z.deleted_at is null order by z.id`.execute(
    db,
  );
  return new Map(pool_ids.map((id) => [id, rows.filter(({ pool_id }) => pool_id === id)]));
}

/** Returns the prizes of each pool that the rounds of the group use. Only rounds that have not ended count. */
export async function selectGroupPools(db: Db, tag: string): Promise<PricedPrize[][]> {
  const { rows } = await sql<{ pool_id: number }>`
    select distinct a.pool_id from activity a where a.tag = ${tag} and ${isCounting}`.execute(db);
  const pool_ids = rows.map(({ pool_id }) => pool_id);
  return [...(await selectLeft(db, pool_ids)).values()];
}

export async function selectStandingPools(
  db: Db,
  pool_ids: readonly number[],
): Promise<StandingPool[]> {
  const left = await selectLeft(db, pool_ids);
  const pools = await db
    .selectFrom("pool")
    .select(["id", "pool_name"])
    .where("id", "=", sql<number>`any(${pool_ids}::bigint[])`)
    .execute();
  const paces = await selectPaces(db, pool_ids);
  return pools.map((pool) => ({
    ...pool,
    prizes: left.get(pool.id) ?? [],
    draws_hour: paces.get(pool.id) ?? 0,
  }));
}

/** SQL: the cents that a round has given since `since`. Goods count with their price from the settings. */
const givenBy = (round: RawBuilder<unknown>, since: RawBuilder<unknown>, goods: number) => {
  const total = (code: 1 | 2, of: RawBuilder<unknown>) => sql`
    rollup_total('draw_record', ${minuteOf(since)}, ${minuteOf(now)} + 1, ${sql.lit(`{${code}}`)}, array[${of}])`;
  return sql`(select cents from ${total(1, sql`${round}::bigint`)}) + ${goods}::bigint * coalesce((
    select sum(t.n) from drawn_prize d cross join lateral ${total(2, sql`d.id`)} t
    where d.rounds_id = ${round} and d.award_price_cents = 0), 0)`;
};

const dayOf = (at: RawBuilder<unknown>, timeZone: string) =>
  sql`(${at} at time zone ${timeZone})::date`;

/**
 * SQL: the first draw of each round `f` that drew since `date`, with the business day of that draw
 * and the cents that the round has given.
 */
const drewSince = (date: RawBuilder<unknown>, timeZone: string, goods: number) => sql`
  select f.*, ${dayOf(sql`f.created_at`, timeZone)} as day, ${givenBy(sql`f.rounds_id`, sql`f.created_at`, goods)} as given
  from (
    select b from rollup where list = 'draw_record' and width = 1440 and a = 1
      and start >= ${minuteOf(sql`(${date} - 2)::timestamptz`)}
    union select b from rollup_delta where list = 'draw_record' and a = 1
  ) x
  cross join lateral (
    select r.rounds_id, r.pool_id, r.pool_version, r.created_at from draw_record r where r.rounds_id = x.b
    order by r.id limit 1
  ) f`;

/**
 * Returns the largest worth of the rounds that began on one business day, in the 28 days before `today`. A round begins
 * with its first draw, and that record names its pool and pool version, so later changes do not matter.
 */
export async function selectUsual(db: Db, today: string, timeZone: string): Promise<number> {
  const goods = await selectGoodsCents(db);
  const from = sql`(${today}::date - ${DAYS}::int)`;
  const { rows } = await sql<{ usual: number }>`
    with ran as materialized (
      select * from (${drewSince(from, timeZone, goods)}) d where day >= ${from} and day < ${today}::date
    ),
    first as (select distinct on (day, pool_id) * from ran order by day, pool_id, created_at)
    select least(coalesce(max(worth), 0), ${Number.MAX_SAFE_INTEGER}::bigint)::bigint as usual from (
      select sum((
        select coalesce(sum(${priceAt(goods, "x")}::numeric * greatest(0, x.award_total - z.drawn)), 0)
        from jsonb_to_recordset(v.prizes) as x (id integer, award_price_cents bigint, award_total bigint)
        join prize z on z.id = x.id
      ) + (
        select sum(e.given) from ran e where e.pool_id = f.pool_id and e.created_at >= f.created_at
      )) as worth
      from first f join pool_version v on v.pool_id = f.pool_id and v.version = f.pool_version
      group by f.day
    ) days`.execute(db);
  return oneRow(rows).usual;
}

/**
 * Returns the worth of each day: what the rounds with their first draw on that day have given, plus what is left in the
 * pools of the rounds that begin or were created on that day (the later day counts). Skips the pools in `pool_ids`.
 */
export async function selectDays(
  db: Db,
  days: readonly string[],
  pool_ids: readonly number[],
  timeZone: string,
): Promise<ReadonlyMap<string, number>> {
  const goods = await selectGoodsCents(db);
  const first = sql`(select min(day) from unnest(${days}::date[]) day)`;
  const { rows } = await sql<{ day: string; worth: number }>`
    with counting as (
      select distinct greatest(a.start_date, ${dayOf(sql`a.created_at`, timeZone)}) as day, a.pool_id
      from activity a where ${isCounting} and not a.pool_id = any(${pool_ids}::bigint[])
    )
    select day::text, least(${Number.MAX_SAFE_INTEGER}::bigint, sum(cents))::bigint as worth from (
      select day, given as cents from (${drewSince(first, timeZone, goods)}) d
      union all
      select c.day, ${priceAt(goods, "z")}::numeric * (z.award_total - z.drawn)
      from counting c join prize z on z.pool_id = c.pool_id and z.deleted_at is null
    ) x where day = any(${days}::date[]) group by day`.execute(db);
  return new Map(rows.map(({ day, worth }) => [day, worth]));
}
