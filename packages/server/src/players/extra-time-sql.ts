/**
 * Extra times: one row gives a player one more draw in an activity group (behaviour §3). Expiry
 * depends only on the clock of the database. The expiry second belongs to the valid time.
 */
import type { ExtraTime, extraTimesRoutes } from "@red/contract/players/extra-times";
import { GRANTED_BEFORE_HOURS } from "@red/contract/platform/limits";
import { APPLY } from "@red/contract/platform/codes";
import type { Answer } from "@red/contract/platform/route";
import { sql } from "kysely";
import type * as z from "zod/mini";
import { allOf, countOf } from "#platform/db/sql-parts";
import type { Db, Tx } from "#platform/db/connection";
import { oneRow } from "#platform/db/one-row";
import { EXTRA_TIMES_PER_MINUTE } from "#platform/rollups/rollup-sql";

/** The round of `rounds_name` may be deleted. */
export type ExtraTimeRow = Omit<ExtraTime, "expire_time" | "created_at"> & {
  readonly expire_time: Date;
  readonly created_at: Date;
};

const IS_LIVE = sql<boolean>`e.expire_time > statement_timestamp() - interval '1 second'`;

/** The last minute that the ids of extra times can reach in the rollups. */
const LAST_MINUTE = Math.floor(Number.MAX_SAFE_INTEGER / EXTRA_TIMES_PER_MINUTE);
const ALL = sql`'extra_time', 0, ${sql.lit(LAST_MINUTE)}, null::bigint[], null::bigint[]`;

/** SQL: the ids on one page of all extra times. The rollups tell in which minutes the page lies. */
function pageOfAll(skip: number, size: number) {
  const first = sql`place.start * ${sql.lit(EXTRA_TIMES_PER_MINUTE)}`;
  return sql`
    select x.id from rollup_places(${ALL}, 0, 0, ${skip}::bigint, ${size}::bigint) place
    cross join lateral (
      select x.id from extra_time x
      where x.id >= ${first} and x.id < ${first} + ${sql.lit(EXTRA_TIMES_PER_MINUTE)}
      order by x.id desc
      limit place.take offset place.skip
    ) x
    limit ${size}`;
}

type ListQuery = z.output<typeof extraTimesRoutes.list.query>;

/**
 * Returns one page, newest first, and the number of all matches. Lists the extra times of a player, of a batch, or all.
 */
export async function selectExtraTimes(
  db: Db,
  player_key: number | null,
  { page, size, batch_id, with_taken_back }: ListQuery,
) {
  const skip = (page - 1) * size;
  const isAll = player_key === null && batch_id === undefined;
  const isMatch = allOf(
    player_key !== null && sql`e.player_key = ${player_key}::bigint`,
    batch_id !== undefined && sql`e.batch_id = ${batch_id}::bigint`,
  );
  const given = sql`e.id, e.player_key, e.tag, e.expire_time, e.created_at, e.granted_by, e.batch_id`;
  // The list of all extra times omits the rows that were taken back, because the rollups do not count them.
  const gone = sql`
    union all
    select ${given}, null, null,
      json_build_object('at', e.taken_back_at, 'by', e.taken_back_by, 'reason', e.reason)
    from extra_time_taken_back e where ${isMatch}`;
  const listed = sql`
    select ${given}, e.used_log_id, e.used_rounds_id, null::json as taken_back
    from extra_time e where ${isAll ? sql`e.id in (${pageOfAll(skip, size)})` : isMatch}
    ${!isAll && with_taken_back === 1 ? gone : sql``}`;
  const counted = isAll
    ? sql<{ total: number }>`select n as total from rollup_total(${ALL})`
    : sql<{ total: number }>`select count(*) as total from (${listed}) e`;
  const { total } = oneRow((await counted.execute(db)).rows);
  const { rows } = await sql<ExtraTimeRow>`
    select e.id, p.user_name, e.tag, e.expire_time, e.created_at, e.granted_by, e.batch_id,
      e.used_rounds_id as rounds_id, a.rounds_name, e.taken_back,
      case when e.used_log_id is not null then ${APPLY.used}::int
        when e.taken_back is null and ${IS_LIVE} then ${APPLY.unused}::int
        else ${APPLY.expired}::int end as apply
    from (${listed}) e
    join player p on p.player_key = e.player_key
    left join activity a on a.id = e.used_rounds_id
    order by e.id desc limit ${size} offset ${isAll ? 0 : skip}`.execute(db);
  return { rows, total };
}

export async function selectBatch(
  db: Db,
  batch_id: number,
): Promise<Answer<typeof extraTimesRoutes.list>["batch"]> {
  const { rows } = await sql<{ unused: number; used: number; taken_back: number }>`
    select count(*) - count(e.used_log_id) as unused, count(e.used_log_id) as used,
      (select count(*) from extra_time_taken_back where batch_id = ${batch_id}::bigint) as taken_back
    from extra_time e where e.batch_id = ${batch_id}::bigint`.execute(db);
  return oneRow(rows);
}

export async function selectLeftTimes(db: Db, player_key: number): Promise<number> {
  const own = db.selectFrom("extra_time as e").where("e.player_key", "=", player_key);
  return await countOf(own.where("e.used_log_id", "is", null).where(IS_LIVE));
}

export interface RecentGrant {
  readonly player_key: number;
  readonly created_at: Date;
  readonly granted_by: string;
}

/**
 * Returns the newest grant of each player in the group within GRANTED_BEFORE_HOURS, newest first.
 * Used and expired extra times count too.
 */
export async function selectRecentGrants(
  db: Db,
  player_keys: readonly number[],
  tag: string,
): Promise<RecentGrant[]> {
  const { rows } = await sql<RecentGrant>`
    select x.player_key, x.created_at, x.granted_by
    from (
      select distinct on (e.player_key) e.player_key, e.created_at, e.granted_by, e.id
      from extra_time e
      where e.player_key = any (${player_keys}::bigint[])
        and e.tag = ${tag}
        and e.created_at > statement_timestamp() - make_interval(hours => ${GRANTED_BEFORE_HOURS})
      order by e.player_key, e.created_at desc, e.id desc
    ) as x
    order by x.created_at desc, x.id desc`.execute(db);
  return rows;
}

/** Selects one extra time, or all extra times of a batch. At least one field is given. */
export interface GrantedPart {
  readonly id?: number | undefined;
  readonly batch_id?: number | undefined;
}

function isOf({ id, batch_id }: GrantedPart) {
  return allOf(
    id !== undefined && sql`e.id = ${id}::bigint`,
    batch_id !== undefined && sql`e.batch_id = ${batch_id}::bigint`,
  );
}

export async function selectHolders(db: Db, part: GrantedPart): Promise<number[]> {
  const { rows } = await sql<{ player_key: number }>`
    select distinct e.player_key from extra_time e where ${isOf(part)}`.execute(db);
  return rows.map(({ player_key }) => player_key);
}

/**
 * Moves the unused extra times of locked players to the table of taken-back extra times. Returns
 * their ids and the number of used extra times.
 */
export async function moveTakenBack(tx: Tx, part: GrantedPart, by: string, reason: string) {
  const { rows } = await sql<{ id: number }>`
    with gone as (
      delete from extra_time e where ${isOf(part)} and e.used_log_id is null returning e.*
    )
    insert into extra_time_taken_back (id, player_key, tag, expire_time, granted_by, created_at,
      batch_id, taken_back_at, taken_back_by, reason)
    select id, player_key, tag, expire_time, granted_by, created_at, batch_id, clock_timestamp(),
      ${by}, ${reason}
    from gone order by id returning id`.execute(tx);
  const left = await sql<{ used: number }>`
    select count(*) as used from extra_time e where ${isOf(part)}`.execute(tx);
  return { ids: rows.map(({ id }) => id), used: oneRow(left.rows).used };
}

export interface NewExtraTimes {
  readonly grants: readonly { readonly player_key: number; readonly expire_time: Date }[];
  readonly tag: string;
  readonly granted_by: string;
  /** Null if the grant is to one player. */
  readonly batch_id: number | null;
}

export async function nextBatch(tx: Tx): Promise<number> {
  const batch = tx.selectNoFrom(sql<number>`nextval('extra_time_batch')`.as("id"));
  return (await batch.executeTakeFirstOrThrow()).id;
}

/** Inserts one extra time per player. This transaction must have raised the versions of the players. */
export async function insertExtraTimes(tx: Tx, extra: NewExtraTimes): Promise<void> {
  const keys = extra.grants.map(({ player_key }) => player_key);
  const times = extra.grants.map(({ expire_time }) => expire_time.toISOString());
  await sql`
    insert into extra_time (player_key, tag, expire_time, granted_by, batch_id)
    select x.player_key, ${extra.tag}, x.expire_time, ${extra.granted_by}, ${extra.batch_id}::bigint
    from unnest(${keys}::bigint[], ${times}::timestamptz[]) as x (player_key, expire_time)`.execute(
    tx,
  );
}

export async function selectClock(db: Db): Promise<Date> {
  const clock = db.selectNoFrom(sql<Date>`clock_timestamp()`.as("now"));
  return (await clock.executeTakeFirstOrThrow()).now;
}
