/**
 * Failed sign-ins by account and address. Unknown accounts count too, so that a lock does not reveal which
 * accounts exist (behaviour §9).
 */
import { LOGIN_FAILURES_MAX, LOGIN_WINDOW_MINUTES } from "@red/contract/platform/limits";
import { sql } from "kysely";
import type { Db, Tx } from "#platform/db/connection";

/** `name` is compared without case. */
export interface Attempt {
  readonly name: string;
  readonly address: string;
}

const window = sql`make_interval(mins => ${LOGIN_WINDOW_MINUTES}::int)`;

/** Serializes the attempts of one account from one address. */
export async function lockAttempts(tx: Tx, { name, address }: Attempt): Promise<void> {
  const subject = sql`lower(${name}) || chr(10) || ${address}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${subject}, 0))`.execute(tx);
}

/**
 * Reads failures by the database clock. `count` is the number in the time window, at most
 * `LOGIN_FAILURES_MAX`. `minutes` is the remaining time of the lock, at least 1, or 0 without a lock.
 */
export async function selectFailures(db: Db, { name, address }: Attempt) {
  const recent = db
    .selectFrom("login_failure")
    .select("failed_at")
    .where("name_key", "=", sql<string>`lower(${name})`)
    .where("address", "=", address)
    .where("failed_at", ">", sql<Date>`now() - ${window}`)
    .orderBy("failed_at", "desc")
    .limit(LOGIN_FAILURES_MAX);
  const row = await db
    .selectFrom(recent.as("recent"))
    .select(sql<number>`count(*)`.as("count"))
    .select(
      sql<number>`ceil(extract(epoch from min(failed_at) + ${window} - now()) / 60)::int`.as(
        "minutes",
      ),
    )
    .executeTakeFirstOrThrow();
  return row.count >= LOGIN_FAILURES_MAX ? row : { ...row, minutes: 0 };
}

export async function insertFailure(tx: Tx, { name, address }: Attempt): Promise<void> {
  await tx
    .insertInto("login_failure")
    .values({ name_key: sql<string>`lower(${name})`, address })
    .execute();
}

/** Deletes at most `limit` failures outside the time window and returns their number. */
export async function deleteOldFailures(tx: Tx, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from login_failure where ctid in (
      select ctid from login_failure where failed_at <= now() - ${window}
      limit ${limit} for update skip locked
    )`.execute(tx);
  return Number(numAffectedRows);
}

/** Deletes the failures of the account from this address. Failures from other addresses still count. */
export async function deleteFailures(tx: Tx, { name, address }: Attempt): Promise<void> {
  await tx
    .deleteFrom("login_failure")
    .where("name_key", "=", sql<string>`lower(${name})`)
    .where("address", "=", address)
    .execute();
}
