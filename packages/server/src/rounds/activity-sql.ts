/**
 * Rounds. Lock the pool, then the round, then the prizes of the pool by id. A draw takes a share lock on the round,
 * then locks the prizes, and only reads the pool, so two transactions cannot deadlock.
 */
import type { Activity, PoolGate, activityFilter } from "@red/contract/rounds/activity";
import { dayBounds, formatDateTime } from "@red/contract/platform/datetime";
import { AppError, found } from "@red/contract/platform/errors";
import type { NamedRound } from "@red/contract/events/event";
import { formatCentsShort } from "@red/contract/platform/money";
import { sql } from "kysely";
import type { Insertable, Selectable } from "kysely";
import type * as z from "zod/mini";
import { allOf, anyId, countOf } from "#platform/db/sql-parts";
import type { Db, Tx } from "#platform/db/connection";
import type { Database } from "#platform/db/schema";
import { countedKind, touchesMonth } from "./detached-month-sql.ts";

export type ActivityRow = Selectable<Database["activity"]> & { readonly pool_name: string };
type ListedRow = ActivityRow & { readonly pool_gate: PoolGate | null };

/** The columns that a form saves. Other operations change the status, the version and the timestamps. */
export type ActivityValues = Omit<
  Insertable<Database["activity"]>,
  "rounds_status" | "version" | "created_at" | "deleted_at"
>;

type ActivityFilter = z.output<typeof activityFilter>;

export function toActivity(row: ActivityRow, timeZone: string): Activity {
  return {
    id: row.id,
    act_id: row.id,
    version: row.version,
    rounds_name: row.rounds_name,
    tag: row.tag,
    red_code: row.red_code,
    pool_name: row.pool_name,
    condition_name: row.condition_name,
    condition_formula: row.condition_formula,
    condition_type: row.condition_type,
    condition_value: formatCentsShort(row.condition_value_cents),
    condition_times: row.condition_times,
    turnover: row.turnover,
    achieve_start_time: formatDateTime(row.achieve_start_time, timeZone),
    achieve_end_time: formatDateTime(row.achieve_end_time, timeZone),
    start_time: formatDateTime(row.start_time, timeZone),
    end_time: formatDateTime(row.end_time, timeZone),
    rounds_status: row.rounds_status,
    draws_max: row.draws_max,
    day_draws_max: row.day_draws_max,
    platforms: row.platforms,
  };
}

/**
 * SQL: the reason why the pool of `a` allows no draw, or null. "sold_out" has the same definition
 * as `isSoldOut` of the engine.
 */
export const poolGate = sql<PoolGate | null>`case
  when exists (select from stop_switch s where s.pool_id = a.pool_id) then 'pool_stopped'
  when not exists (
    select from prize z
     where z.pool_id = a.pool_id and z.deleted_at is null and z.drawn < z.award_total
       and (z.weight > 0 or z.floors)
  ) then 'sold_out'
end`;

export function liveActivities(db: Db) {
  return db
    .selectFrom("activity as a")
    .innerJoin("pool as p", "p.id", "a.pool_id")
    .where("a.deleted_at", "is", null);
}

/**
 * Returns one page of rounds, newest start first, and the number of all matches. `start_date` is the business day of
 * the start; `rounds_name` matches part of the name in any case; the other filters must be equal (behaviour §11).
 */
export async function selectActivities(
  db: Db,
  filter: ActivityFilter,
  timeZone: string,
): Promise<{ rows: ListedRow[]; total: number }> {
  const { start_date, rounds_name, tag, pool_name, rounds_status } = filter;
  const day = start_date === undefined ? null : dayBounds(start_date, timeZone);
  const matches = liveActivities(db).where(
    allOf(
      day !== null && sql`a.start_time >= ${day.start} and a.start_time < ${day.end}`,
      rounds_name !== undefined && sql`strpos(lower(a.rounds_name), lower(${rounds_name})) > 0`,
      tag !== undefined && sql`a.tag = ${tag}`,
      pool_name !== undefined && sql`p.pool_name = ${pool_name}`,
      rounds_status !== undefined && sql`a.rounds_status = ${rounds_status}::int`,
    ),
  );
  const total = await countOf(matches);
  const rows = await matches
    .selectAll("a")
    .select(["p.pool_name", poolGate.as("pool_gate")])
    .orderBy("a.start_time", "desc")
    .orderBy("a.id", "desc")
    .limit(filter.size)
    .offset((filter.page - 1) * filter.size)
    .execute();
  return { rows, total };
}

export async function selectActivity(db: Db, id: number): Promise<ActivityRow | null> {
  const row = await liveActivities(db)
    .selectAll("a")
    .select("p.pool_name")
    .where("a.id", "=", anyId(id))
    .executeTakeFirst();
  return row ?? null;
}

export async function selectRoundNames(db: Db, start_date: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom("activity")
    .select("rounds_name")
    .where("start_date", "=", start_date)
    .where("deleted_at", "is", null)
    .execute();
  return new Set(rows.map(({ rounds_name }) => rounds_name));
}

/** Whether a round with this id ever existed. Deleted rounds count, because their records remain. */
export async function selectIsActivity(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom("activity")
    .select("id")
    .where("id", "=", anyId(id))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Locks a round. Waits for running draws, which have a share lock on it. Returns null if the round
 * does not exist or is deleted.
 */
export async function lockActivity(tx: Tx, id: number): Promise<ActivityRow | null> {
  await sql`select hold_round(${id}::bigint, true)`.execute(tx);
  // Locks the row without a join: after a wait, PostgreSQL would evaluate the join with the old pool row.
  const row = tx.selectFrom("activity").select("id").where("id", "=", anyId(id));
  await row.forUpdate().execute();
  return await selectActivity(tx, id);
}

/** Whether the time of the database is between the start of the round and the end of its last second. */
export async function selectIsInWindow(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom("activity")
    .select(
      sql<boolean>`clock_timestamp() >= start_time
        and clock_timestamp() < end_time + interval '1 second'`.as("is_in_window"),
    )
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.is_in_window ?? false;
}

/** Inserts an active round with version 1 and the partition for its draw records. Returns the id. */
export async function insertActivity(tx: Tx, values: ActivityValues): Promise<number> {
  const { id } = await tx
    .insertInto("activity")
    .values(values)
    .returning("id")
    .executeTakeFirstOrThrow();
  await sql`select ensure_draw_partition(${id})`.execute(tx);
  return id;
}

/** Updates a locked round and raises its version, which draws check. Returns the new version. */
export async function updateActivity(tx: Tx, id: number, values: ActivityValues): Promise<number> {
  const { version } = await tx
    .updateTable("activity")
    .set(values)
    .set((eb) => ({ version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .returning("version")
    .executeTakeFirstOrThrow();
  return version;
}

/**
 * Stores the current rule of a locked round under its version. Throws condition_month_detached if a
 * new window or source needs a month whose rows were removed (docs/operations.md).
 */
export async function insertActivityRule(tx: Tx, id: number): Promise<void> {
  await sql`
    insert into activity_rule (rounds_id, version, rule)
    select a.id, a.version,
      to_jsonb(a) - '{id,version,rounds_status,start_date,created_at,deleted_at}'::text[]
    from activity a where a.id = ${id}
  `.execute(tx);
  // Checks after the insert: a detach locks this table, so one of the two transactions sees the other.
  const { rows } = await sql`
    select from activity a
    join detached_month d on d.kind = ${countedKind(sql`a.condition_name`)}
      and ${touchesMonth(sql`d.month`, sql`a.achieve_start_time`, sql`a.achieve_end_time`)}
    where a.id = ${id} and not exists (
      select from activity_rule v
      where v.rounds_id = a.id and v.version = a.version - 1
        and v.rule->>'condition_name' = a.condition_name
        and (v.rule->>'achieve_start_time')::timestamptz = a.achieve_start_time
        and (v.rule->>'achieve_end_time')::timestamptz = a.achieve_end_time)
  `.execute(tx);
  if (rows.length > 0) {
    throw new AppError("condition_month_detached");
  }
}

export async function updateRoundsStatus(tx: Tx, id: number, rounds_status: 0 | 1): Promise<void> {
  await tx.updateTable("activity").set({ rounds_status }).where("id", "=", id).execute();
}

export async function markActivityDeleted(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable("activity")
    .set({ deleted_at: sql<Date>`now()` })
    .where("id", "=", id)
    .execute();
}

const AMOUNTS = {
  deposit: sql`select id, amount_cents as cents, reversed_at as gone_at, created_at from deposit`,
  bet: sql`select id, valid_bet_cents as cents, voided_at as gone_at, created_at from bet`,
} as const;

/**
 * Returns the largest deposit or bet of the last seven days in cents, without reversed or void rows, or null. It helps
 * the operator to judge a rule before saving (behaviour §4). Reads at most the newest million rows by id.
 */
export async function selectLargest(db: Db, kind: keyof typeof AMOUNTS): Promise<number | null> {
  const { rows } = await sql<{ cents: number | null }>`
    select max(n.cents) as cents
    from (
      select e.cents, e.gone_at from (${AMOUNTS[kind]}) e
      where e.created_at >= statement_timestamp() - interval '7 days'
      order by e.id desc limit 1000000
    ) n
    where n.gone_at is null`.execute(db);
  return rows[0]?.cents ?? null;
}

const CHANCE_COLUMNS = [
  "id",
  "rounds_name",
  "tag",
  "turnover",
  "start_time",
  "end_time",
  "condition_name",
  "condition_formula",
  "condition_type",
  "condition_value_cents",
  "condition_times",
  "achieve_start_time",
  "achieve_end_time",
  "platforms",
  "draws_max",
  "day_draws_max",
] as const satisfies readonly (keyof Database["activity"])[];

/** A round with its rule and the time window of the rule. The last second of the window belongs to it. */
export type ChanceRound = Readonly<
  Pick<Selectable<Database["activity"]>, (typeof CHANCE_COLUMNS)[number]>
> & {
  /** True when the window is over by the clock of the database, so no future row can count. */
  readonly is_window_over: boolean;
};

function rounds(db: Db) {
  return db
    .selectFrom("activity as a")
    .select(CHANCE_COLUMNS)
    .select(
      sql<boolean>`statement_timestamp() >= a.achieve_end_time + interval '1 second'`.as(
        "is_window_over",
      ),
    )
    .where("a.deleted_at", "is", null);
}

export async function selectRound(db: Db, rounds_id: number): Promise<ChanceRound | null> {
  return (await rounds(db).where("a.id", "=", anyId(rounds_id)).executeTakeFirst()) ?? null;
}

/** Finds a round by its id, or else by its name and the business day of its start. Throws activity_not_found. */
export async function requireRound(
  db: Db,
  { rounds_id, start_date, rounds_name }: NamedRound,
): Promise<ChanceRound> {
  const isNamed = sql<boolean>`a.start_date = ${start_date} and a.rounds_name = ${rounds_name}`;
  return found(
    rounds_id === undefined
      ? await rounds(db).where(isNamed).executeTakeFirst()
      : await selectRound(db, rounds_id),
    "activity_not_found",
  );
}

/**
 * Returns at most `limit` rounds that are not deleted, newest start first. With `active`, returns only active rounds
 * between their start and the end of their last second, by the clock of the database.
 */
export async function selectRounds(
  db: Db,
  options: { readonly active: boolean; readonly limit: number },
): Promise<ChanceRound[]> {
  const isActive = sql`a.rounds_status = 1 and statement_timestamp() >= a.start_time
    and statement_timestamp() < a.end_time + interval '1 second'`;
  return await rounds(db)
    .where(allOf(options.active && isActive))
    .orderBy("a.start_time", "desc")
    .orderBy("a.id", "desc")
    .limit(options.limit)
    .execute();
}

/**
 * Returns at most `limit` rounds between their start and the end of their last second, newest start
 * first. Paused rounds count. If there is none, returns the round that started last.
 */
export async function selectPresentRounds(db: Db, limit: number) {
  const begun = rounds(db)
    .where(sql<boolean>`a.start_time <= statement_timestamp()`)
    .orderBy("a.start_time", "desc")
    .orderBy("a.id", "desc");
  const current = await begun
    .where(sql<boolean>`statement_timestamp() < a.end_time + interval '1 second'`)
    .limit(limit)
    .execute();
  return current.length > 0
    ? { rounds: current, are_current: true }
    : { rounds: await begun.limit(1).execute(), are_current: false };
}
