/** Removes a month of deposits or bets from its table when no round needs it any more (docs/operations.md). */
import { setTimeout as sleep } from "node:timers/promises";
import type { EventKind } from "@red/contract/events/event";
import { sql } from "kysely";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import { hasSqlState } from "#platform/db/constraints";
import { touchesMonth } from "#rounds/detached-month-sql";
import type { ChanceRound } from "#rounds/activity-sql";

/**
 * Maximum time in ms to wait for the lock. A detach waits for running queries on the table, and new
 * queries wait behind the detach, so it gives up early and tries again.
 */
const LOCK_MS = 2_000;
const TRIES = 15;
const AGAIN_MS = 1_000;
const LOCK_NOT_AVAILABLE = "55P03";

export interface StoredMonth {
  readonly kind: EventKind;
  /** The first day of the month, UTC. */
  readonly month: string;
  readonly is_detached: boolean;
  /** Size of the table and its indexes; 0 if the detached table was dropped. */
  readonly bytes: number;
}

export async function selectMonths(db: Db): Promise<StoredMonth[]> {
  const { rows } = await sql<StoredMonth>`
    select kind, month, is_detached,
      coalesce(pg_total_relation_size(to_regclass(
        case when is_detached then 'detached.' else '' end || kind || to_char(month, '_YYYYMM'))), 0) as bytes
    from (
      select p.relname as kind, to_date(right(c.relname, 6), 'YYYYMM') as month, false as is_detached
      from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
      where p.oid in ('deposit'::regclass, 'bet'::regclass)
      union all
      select kind, month, true from detached_month
    ) months
    order by kind, month`.execute(db);
  return rows;
}

export async function selectDetachedMonths(db: Db, kind: EventKind): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("detached_month")
    .select("month")
    .where("kind", "=", kind)
    .execute();
  return new Set(rows.map(({ month }) => month));
}

type BlockingRound = Pick<ChanceRound, "id" | "rounds_name">;

/**
 * Returns the rounds that need the month: now or under an older rule, their condition window overlaps it. A round does
 * not need it once it is over and signed. A deleted round only counts if it has draws.
 */
async function selectBlockingRounds(tx: Tx, month: string): Promise<BlockingRound[]> {
  const first = sql`${month}::date`;
  const { rows } = await sql<BlockingRound>`
    select a.id, a.rounds_name from activity a
    where (${touchesMonth(first, sql`a.achieve_start_time`, sql`a.achieve_end_time`)} or exists (
        select from activity_rule v where v.rounds_id = a.id and ${touchesMonth(
          first,
          sql`(v.rule->>'achieve_start_time')::timestamptz`,
          sql`(v.rule->>'achieve_end_time')::timestamptz`,
        )}))
      and (not exists (select from sheet_sign_off s where s.rounds_id = a.id)
        or (a.deleted_at is null and a.end_time + interval '1 s' > clock_timestamp()))
      and (a.deleted_at is null or exists (select from draw_record r where r.rounds_id = a.id))
    order by a.id`.execute(tx);
  return rows;
}

async function detach(
  tx: Tx,
  actor: Actor,
  kind: EventKind,
  month: string,
): Promise<readonly BlockingRound[]> {
  const part = `${kind}_${month.slice(0, 7).replace("-", "")}`;
  await sql`set local lock_timeout = ${sql.lit(LOCK_MS)}`.execute(tx);
  const { rows } = await sql<{ is_there: boolean; is_past: boolean }>`
    select to_regclass(${part}) is not null as is_there,
      ${month}::date + interval '1 month' <= now() at time zone 'UTC' as is_past`.execute(tx);
  if (rows[0]?.is_there !== true) {
    throw new Error(`${part} is not there: redctl months list shows which are`);
  }
  if (!rows[0].is_past) {
    throw new Error(`${part} is not over yet`);
  }
  // Saving a round writes its rule, so this lock prevents new rules for the month until the commit.
  await sql`lock table activity_rule in share row exclusive mode`.execute(tx);
  const blocking = await selectBlockingRounds(tx, month);
  if (blocking.length > 0) {
    return blocking;
  }
  await sql`create schema if not exists detached`.execute(tx);
  await sql`alter table ${sql.table(kind)} detach partition ${sql.table(part)}`.execute(tx);
  await sql`alter table ${sql.table(part)} set schema detached`.execute(tx);
  // Lists and chances count the remaining rows from now on. The detach locks the table until the commit.
  await sql`
    select rollup_rebuild(${kind}, (extract(epoch from day - timestamp '2020-01-01') / 60)::bigint)
    from generate_series(${month}::date::timestamp, ${month}::date + interval '1 month - 1 day', interval '1 day') day`.execute(
    tx,
  );
  await sql`
    delete from event_chunk
    where kind = ${kind} and to_at > ${month}::date::timestamp at time zone 'UTC'
      and from_at < (${month}::date + interval '1 month') at time zone 'UTC'`.execute(tx);
  await tx.insertInto("detached_month").values({ kind, month }).execute();
  const object_id = month.slice(0, 7);
  await insertAudit(tx, actor, { action: "detach_month", object_type: kind, object_id });
  return blocking;
}

/**
 * Detaches a month into the schema `detached`. Returns the rounds that still need the month; an
 * empty list means that it is detached. Throws if the month does not exist or is not over, and
 * throws the database error if the table stays busy for half a minute.
 */
export async function detachMonth(
  db: Db,
  actor: Actor,
  kind: EventKind,
  month: string,
): Promise<readonly BlockingRound[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(db, (tx) => detach(tx, actor, kind, month));
    } catch (fault) {
      if (tries === TRIES || !hasSqlState(fault, LOCK_NOT_AVAILABLE)) {
        throw fault;
      }
      await sleep(AGAIN_MS);
    }
  }
}
