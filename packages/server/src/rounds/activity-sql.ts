/**
 * Activities. Lock the pool, then the activity, then the pool's prizes by id. A draw locks the activity
 * (share) and then the prizes and only reads the pool, so no two transactions can deadlock.
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

/** The columns that a form saves; status, version and stamps are changed by other acts. */
export type ActivityValues = Omit<
  Insertable<Database["activity"]>,
  "rounds_status" | "version" | "created_at" | "deleted_at"
>;

type ActivityFilter = z.output<typeof activityFilter>;

/** A row on the wire: times in `timeZone`, amounts as decimal text. */
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

/** SQL: why the pool of `a` allows no draw; "sold_out" is defined like `isSoldOut` of the engine. */
export const poolGate = sql<PoolGate | null>`case
  when exists (select from stop_switch s where s.pool_id = a.pool_id) then 'pool_stopped'
  when not exists (
    select from prize z
     where z.pool_id = a.pool_id and z.deleted_at is null and z.drawn < z.award_total
       and (z.weight > 0 or z.floors)
  ) then 'sold_out'
end`;

/** Activities `a` that are not deleted, each with its pool `p`. */
export function liveActivities(db: Db) {
  return db
    .selectFrom("activity as a")
    .innerJoin("pool as p", "p.id", "a.pool_id")
    .where("a.deleted_at", "is", null);
}

/**
 * One page, newest start first, and the number of all matches. `start_date` is the business day of the start,
 * `rounds_name` matches a part in any case, the rest is equal (behaviour §11).
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

/** One activity; null when it does not exist or was deleted. */
export async function selectActivity(db: Db, id: number): Promise<ActivityRow | null> {
  const row = await liveActivities(db)
    .selectAll("a")
    .select("p.pool_name")
    .where("a.id", "=", anyId(id))
    .executeTakeFirst();
  return row ?? null;
}

/** The names in use on this business day. */
export async function selectRoundNames(db: Db, start_date: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom("activity")
    .select("rounds_name")
    .where("start_date", "=", start_date)
    .where("deleted_at", "is", null)
    .execute();
  return new Set(rows.map(({ rounds_name }) => rounds_name));
}

/** Whether an activity of this id ever existed. Deleted ones count, because their records stay. */
export async function selectIsActivity(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom("activity")
    .select("id")
    .where("id", "=", anyId(id))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Locks an activity after the draws in flight, which lock it shared; null when it does not exist or was
 * deleted.
 */
export async function lockActivity(tx: Tx, id: number): Promise<ActivityRow | null> {
  await sql`select hold_round(${id}::bigint, true)`.execute(tx);
  // Locked without its pool: after a wait, PostgreSQL would evaluate the join with the pool's old row.
  const row = tx.selectFrom("activity").select("id").where("id", "=", anyId(id));
  await row.forUpdate().execute();
  return await selectActivity(tx, id);
}

/** Whether the database's time is between the activity's start and the end of its last second. */
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

/** Inserts an active activity of version 1 and the partition of its records. Returns its id. */
export async function insertActivity(tx: Tx, values: ActivityValues): Promise<number> {
  const { id } = await tx
    .insertInto("activity")
    .values(values)
    .returning("id")
    .executeTakeFirstOrThrow();
  await sql`select ensure_draw_partition(${id})`.execute(tx);
  return id;
}

/** Updates a locked activity and raises its version, which draws check. Returns the new version. */
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
 * Stores the current rule of a locked activity under its version. Throws condition_month_detached if a new window or source
 * reaches into a month whose rows were taken out (docs/operations.md).
 */
export async function insertActivityRule(tx: Tx, id: number): Promise<void> {
  await sql`
    insert into activity_rule (rounds_id, version, rule)
    select a.id, a.version,
      to_jsonb(a) - '{id,version,rounds_status,start_date,created_at,deleted_at}'::text[]
    from activity a where a.id = ${id}
  `.execute(tx);
  // The check follows the insert: a detach locks the table, so one of the two sees the other.
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

/** Marks a locked activity as deleted; its rule versions and records stay. */
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
 * The largest deposit or bet of the last seven days that is neither reversed nor void, in cents; null without any. It helps
 * to judge a rule before it is saved (behaviour §4). Reads at most the newest million rows, by their ids.
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

/** A round with its rule, and the time window of the rule; the second of its end is included. */
export type ChanceRound = Readonly<
  Pick<Selectable<Database["activity"]>, (typeof CHANCE_COLUMNS)[number]>
> & {
  /** No future row can count, by the database's clock. */
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

/** A round by its id; null when it does not exist or was deleted. */
export async function selectRound(db: Db, rounds_id: number): Promise<ChanceRound | null> {
  return (await rounds(db).where("a.id", "=", anyId(rounds_id)).executeTakeFirst()) ?? null;
}

/** A round by its id, else by the business day of its start and its name. Throws activity_not_found. */
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
 * At most `limit` rounds that are not deleted, newest start first. `active`: only active ones between their
 * start and the end of their last second, by the database's clock.
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
 * At most `limit` rounds between their start and the end of their last second, paused ones included, newest
 * start first; without any, the latest started round.
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
