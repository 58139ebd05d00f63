/** Stores the address of the webhooks and whether it fails, for all processes (behaviour §14). */
import { sql } from "kysely";
import type { Db, Tx } from "#platform/db/connection";

export interface Endpoint {
  readonly url: string;
  /** Encrypted for the purpose `webhook`. */
  readonly secret: Buffer;
  readonly is_failing: boolean;
  /** False while the address fails and its next try is not due. */
  readonly may_try: boolean;
}

/**
 * Locks the address; returns null if there is no address. Lock the address before messages, so that transactions
 * cannot deadlock.
 */
export async function lockEndpoint(tx: Tx): Promise<Endpoint | null> {
  const row = await tx
    .selectFrom("webhook")
    .select(["url", "secret"])
    .select(sql<boolean>`failing_since is not null`.as("is_failing"))
    .select(sql<boolean>`coalesce(next_try_at <= clock_timestamp(), true)`.as("may_try"))
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function selectWebhook(db: Db) {
  const row = await db
    .selectFrom("webhook")
    .select(["url", "created_at", "failing_since", "next_try_at", "last_answer"])
    .executeTakeFirst();
  return row ?? null;
}

/** Stores a new address and secret, and deletes the old ones. */
export async function replaceWebhook(tx: Tx, url: string, secret: Buffer): Promise<void> {
  await deleteWebhook(tx);
  await tx.insertInto("webhook").values({ url, secret }).execute();
}

export async function deleteWebhook(tx: Tx): Promise<string | null> {
  const row = await tx.deleteFrom("webhook").returning("url").executeTakeFirst();
  return row?.url ?? null;
}

/**
 * Longest pause between tries of a failing address. A pause lasts as long as the address has already failed, up
 * to this limit.
 */
const REST_MAX = sql`interval '60 s'`;

/** Stores whether the last calls reached the address, and the last answer. */
export async function updateFailing(tx: Tx, isTaken: boolean, answer: string): Promise<void> {
  await (
    isTaken
      ? sql`update webhook set failing_since = null, next_try_at = null
          where failing_since is not null`
      : sql`update webhook set failing_since = coalesce(failing_since, clock_timestamp()),
          last_answer = ${answer},
          next_try_at = clock_timestamp()
            + least(${REST_MAX}, greatest(interval '1 s', clock_timestamp() - failing_since))`
  ).execute(tx);
}

/** Prevents other tries of a failing address for `ms`. */
export async function holdTries(tx: Tx, ms: number): Promise<void> {
  await sql`update webhook set next_try_at = clock_timestamp() + ${ms}::float8 * interval '1 ms'`.execute(
    tx,
  );
}
