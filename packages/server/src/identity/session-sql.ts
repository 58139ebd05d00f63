/** Sessions, stored in the database so that they survive a restart. */
import { sql } from "kysely";
import type { Insertable } from "kysely";
import { inPassing } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import type { Database } from "#platform/db/schema";

/** A session ends after an hour without a call, and always after twelve hours. */
export const IDLE_MINUTES = 60;
const ABSOLUTE_HOURS = 12;

/** How long an ended session is stored. During this time a call with its token gets the reason for the end. */
const KEPT_DAYS = 30;

const idle = sql`make_interval(mins => ${IDLE_MINUTES}::int)`;
const whole = sql`make_interval(hours => ${ABSOLUTE_HOURS}::int)`;

/**
 * Returns the sessions of the known hashes, with their state by the database clock. `stale` means that
 * `seen_at` should be updated.
 */
export async function selectSessionsBy(db: Db, hashes: readonly Buffer[]) {
  return await db
    .selectFrom("session as s")
    .innerJoin("operator as o", "o.id", "s.operator_id")
    .select(["s.token_hash", "s.operator_id", "o.name", "o.roles", "o.disabled", "s.ended_by"])
    .select(
      sql<boolean>`s.ended_by is not distinct from 'expiry'
        or s.seen_at < now() - ${idle} or s.created_at < now() - ${whole}`.as("expired"),
    )
    .select(sql<boolean>`s.seen_at < now() - interval '1 minute'`.as("stale"))
    .where("s.token_hash", "in", hashes)
    .execute();
}

export async function touchSession(db: Db, token_hash: Buffer): Promise<void> {
  await inPassing(db, async (tx) => {
    await tx
      .updateTable("session")
      .set({ seen_at: sql<Date>`now()` })
      .where("token_hash", "=", token_hash)
      .where("ended_at", "is", null)
      .execute();
  });
}

export async function insertSession(
  tx: Tx,
  session: Insertable<Database["session"]>,
): Promise<void> {
  await tx.insertInto("session").values(session).execute();
}

export async function endSession(tx: Tx, token_hash: Buffer): Promise<boolean> {
  const result = await tx
    .updateTable("session")
    .set({ ended_by: "logout", ended_at: sql<Date>`now()` })
    .where("token_hash", "=", token_hash)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Ends one open session of an operator, or all sessions except `keep`. Returns the number of ended sessions. */
export async function endSessionsOf(
  tx: Tx,
  operator_id: number,
  { session_id = null, keep = null }: { session_id?: number | null; keep?: Buffer | null } = {},
): Promise<number> {
  const result = await tx
    .updateTable("session")
    .set({ ended_by: "other", ended_at: sql<Date>`now()` })
    .where("operator_id", "=", operator_id)
    .where("ended_at", "is", null)
    .where(sql<boolean>`(${session_id}::bigint is null or id = ${session_id})`)
    .where("token_hash", "is distinct from", keep)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** SQL: the session `s` is open. */
export const IS_OPEN = sql<boolean>`s.ended_at is null and s.seen_at >= now() - ${idle} and s.created_at >= now() - ${whole}`;

/** Returns the open sessions of an operator, newest first. `current` marks the session with the hash. */
export async function selectSessions(db: Db, operator_id: number, token_hash: Buffer) {
  return await db
    .selectFrom("session as s")
    .select(["s.id", "s.address", "s.created_at", "s.seen_at"])
    .select(sql<boolean>`s.token_hash = ${token_hash}`.as("current"))
    .where("operator_id", "=", operator_id)
    .where(IS_OPEN)
    .orderBy("created_at", "desc")
    .execute();
}

/** Marks at most `limit` expired sessions as ended at their expiry, and returns their number. */
export async function expireSessions(tx: Tx, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update session s
    set ended_by = 'expiry', ended_at = least(s.seen_at + ${idle}, s.created_at + ${whole})
    where s.token_hash in (
      select token_hash from session
      where ended_at is null
        and (seen_at < now() - ${idle} or created_at < now() - ${whole})
      limit ${limit} for update skip locked
    )`.execute(tx);
  return Number(numAffectedRows);
}

/** Deletes at most `limit` sessions that ended long ago, with their tickets. Returns the number of deleted sessions. */
export async function deleteOldSessions(tx: Tx, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with old as materialized (
      select token_hash from session
      where ended_at < now() - make_interval(days => ${KEPT_DAYS}::int)
      limit ${limit} for update skip locked
    ), tickets as (
      delete from ticket where token_hash in (select token_hash from old)
    )
    delete from session where token_hash in (select token_hash from old)`.execute(tx);
  return Number(numAffectedRows);
}
