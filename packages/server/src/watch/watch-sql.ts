/**
 * Reads for the overview and boards (contract/watch.ts). Counts of draws come from rollups, so that they cost the same
 * with millions of records; minutes are since 2020-01-01 UTC.
 */
import type { PoolGate } from "@red/contract/activity";
import { WATCHED_MAX } from "@red/contract/watch";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { anyId } from "#platform/any-id";
import type { Db } from "#platform/connection";
import { EVENT_EPOCH_MS } from "#players/event-sql";
import { minutesOf } from "#players/rollup-sql";
import { liveActivities, poolGate } from "#rounds/activity-sql";

const MINUTE_MS = 60_000;
/** After all of them. */
const { to: NEVER } = minutesOf(null, null);

export const minuteOf = (instant: Date) =>
  Math.floor((instant.getTime() - EVENT_EPOCH_MS) / MINUTE_MS);
export const minuteStart = (minute: number) => new Date(EVENT_EPOCH_MS + minute * MINUTE_MS);

export interface Counted {
  readonly count: number;
  readonly amount_cents: bigint;
}

/** The database's time, the same within a view. */
export async function selectNow(view: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(view);
  return rows[0]?.now ?? new Date(0);
}

export interface RoundRow {
  readonly rounds_id: number;
  readonly rounds_name: string;
  readonly start_time: Date;
  readonly end_time: Date;
  readonly phase: "next" | "running" | "ended";
  readonly rounds_status: 0 | 1;
  readonly pool_id: number;
  readonly pool_name: string;
  readonly pool_gate: PoolGate | null;
  /** No record is older. */
  readonly since: Date;
}

/** The end includes its second (behaviour §1). */
const IS_OVER = sql<boolean>`a.end_time + interval '1 second' <= now()`;

function rounds(view: Db) {
  return liveActivities(view)
    .select(["a.id as rounds_id", "a.rounds_name", "a.start_time", "a.end_time"])
    .select(["a.rounds_status", "a.pool_id", "p.pool_name"])
    .select(sql<Date>`least(a.created_at, a.start_time)`.as("since"))
    .select(poolGate.as("pool_gate"))
    .select(
      sql<RoundRow["phase"]>`case when ${IS_OVER} then 'ended' when a.start_time > now() then 'next'
        else 'running' end`.as("phase"),
    );
}

/** Null when there is none, or it was deleted. */
export async function selectWatchedRound(view: Db, rounds_id: number): Promise<RoundRow | null> {
  return (await rounds(view).where("a.id", "=", anyId(rounds_id)).executeTakeFirst()) ?? null;
}

/** Running rounds by their end, then the next ones by their start; and how many run. */
export async function selectWatchedRounds(view: Db) {
  const isNext = sql<boolean>`a.start_time > now()`;
  const rows = await rounds(view)
    .select(sql<number>`count(*) filter (where not ${isNext}) over ()`.as("running"))
    .where(sql<boolean>`a.end_time > now() - interval '1 second'`)
    .orderBy(isNext)
    .orderBy(sql`case when ${isNext} then a.start_time else a.end_time end`)
    .orderBy("a.id")
    .limit(WATCHED_MAX)
    .execute();
  return { rows, running: rows[0]?.running ?? 0 };
}

const totalOf = (from: RawBuilder<unknown> | number, a: 1 | 2, b: RawBuilder<unknown>) => sql`
  rollup_total('draw_record', ${from}::bigint, ${NEVER}::bigint, array[${sql.lit(a)}]::bigint[], array[${b}]::bigint[])`;

/** What was drawn in each of these rounds in the minutes from `from` on. */
export async function selectDrawnOf(
  view: Db,
  asked: readonly { readonly rounds_id: number; readonly from: number }[],
): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select t.n as count, t.cents as amount_cents
    from unnest(${asked.map(({ rounds_id }) => rounds_id)}::bigint[], ${asked.map(({ from }) => from)}::bigint[])
      with ordinality k (rounds_id, first, at)
    cross join lateral ${totalOf(sql`k.first`, 1, sql`k.rounds_id`)} t
    order by k.at`.execute(view);
  return rows;
}

export interface LowPrizeRow {
  readonly rounds_id: number;
  readonly rounds_name: string;
  readonly pool_name: string;
  readonly prize_id: number;
  readonly award_name: string;
  readonly award_price_cents: number;
  readonly award_total: number;
  readonly remaining: number;
}

/** Prizes of running rounds with less than a tenth of their stock left, each once, emptiest first; and how many. */
export async function selectLowPrizes(view: Db) {
  const { rows } = await sql<LowPrizeRow & { readonly all: number }>`
    select x.*, count(*) over () as all from (
      select distinct on (z.id) a.id as rounds_id, a.rounds_name, p.pool_name, z.id as prize_id, z.award_name,
        z.award_price_cents, z.award_total, z.award_total - z.drawn as remaining
      from activity a join pool p on p.id = a.pool_id join prize z on z.pool_id = p.id and z.deleted_at is null
      where a.deleted_at is null and a.end_time > now() - interval '1 second' and a.start_time <= now()
        and (z.award_total - z.drawn) * 10::bigint < z.award_total
      order by z.id, a.end_time
    ) x
    order by x.remaining::float / x.award_total, x.prize_id limit ${WATCHED_MAX}`.execute(view);
  return { all: rows[0]?.all ?? 0, rows: rows.map(({ all: _all, ...row }) => row) };
}

/** Ended rounds with draws and without any signature, by the month of their end, latest first. */
export async function selectUnsigned(
  view: Db,
  timeZone: string,
): Promise<{ readonly month: string; readonly count: number }[]> {
  const { rows } = await sql<{ month: string; count: number }>`
    select to_char(a.end_time at time zone ${timeZone}, 'YYYY-MM') as month, count(*) as count
    from activity a
    where ${IS_OVER} and exists (select from drawn_prize d where d.rounds_id = a.id)
      and not exists (select from sheet_sign_off s where s.rounds_id = a.id)
    group by 1 order by 1 desc`.execute(view);
  return rows;
}

/** What was drawn in a round in each minute that has a draw, from this one on. */
export async function selectDrawnMinutes(
  view: Db,
  rounds_id: number,
  from: number,
): Promise<(Counted & { readonly minute: number })[]> {
  const { rows } = await sql<Counted & { minute: number }>`
    select start as minute, n as count, cents as amount_cents
    from rollup_buckets('draw_record', 1, ${from}::bigint, ${NEVER}::bigint, array[1]::bigint[],
      array[${rounds_id}]::bigint[], null)`.execute(view);
  return rows;
}

export interface BoardPrizeRow extends Counted {
  readonly prize_id: number;
  readonly award_name: string;
  readonly award_price_cents: number;
  readonly award_total: number;
  readonly remaining: number;
  readonly drawn_prize: number | null;
  readonly lately: number;
}

/**
 * The prizes of the round's pool, by id: what the round drew of each under its present name and price, and what all
 * rounds of the pool drew from the minute `from` on.
 */
export async function selectBoardPrizes(
  view: Db,
  { rounds_id, pool_id, since }: RoundRow,
  from: number,
): Promise<BoardPrizeRow[]> {
  const isPrize = sql`d.award_name = z.award_name and d.award_price_cents = z.award_price_cents`;
  const { rows } = await sql<BoardPrizeRow>`
    select z.id as prize_id, z.award_name, z.award_price_cents, z.award_total, z.award_total - z.drawn as remaining,
      d.id as drawn_prize, coalesce(t.n, 0) as count, coalesce(t.cents, 0) as amount_cents,
      (
        select coalesce(sum(l.n), 0)::bigint from activity a
        join drawn_prize d on d.rounds_id = a.id and ${isPrize}
        cross join lateral ${totalOf(from, 2, sql`d.id`)} l
        where a.pool_id = z.pool_id and a.deleted_at is null and a.end_time >= ${minuteStart(from)}::timestamptz
      ) as lately
    from prize z
    left join drawn_prize d on d.rounds_id = ${rounds_id}::bigint and ${isPrize}
    left join lateral ${totalOf(minuteOf(since), 2, sql`d.id`)} t on d.id is not null
    where z.pool_id = ${pool_id} and z.deleted_at is null
    order by z.id`.execute(view);
  return rows;
}
