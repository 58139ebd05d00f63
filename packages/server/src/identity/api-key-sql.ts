/** Keys of game platforms, with encrypted secrets, and their nonces. */
import { sql } from "kysely";
import type { Scope } from "@red/contract/platform/permissions";
import { TIMESTAMP_TOLERANCE_SECONDS } from "@red/contract/identity/signing";
import { inPassing } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";

export interface ApiKey {
  readonly key: string;
  readonly name: string;
  readonly secret: Buffer;
  readonly scopes: Scope[];
}

function keyInUse(db: Db, key: string) {
  return db
    .selectFrom("api_key")
    .select(["key", "name", "secret", "next_secret", "scopes"])
    .where("key", "=", key)
    .where("revoked_at", "is", null);
}

export async function selectApiKey(db: Db, key: string) {
  return (await keyInUse(db, key).executeTakeFirst()) ?? null;
}

/** Returns all keys without secrets, including revoked keys. */
export async function selectApiKeys(db: Db) {
  return await db
    .selectFrom("api_key")
    .select(["key", "name", "scopes", "created_at", "revoked_at", "used_at", "rotated_at"])
    .orderBy("created_at")
    .execute();
}

export async function insertApiKey(tx: Tx, apiKey: ApiKey): Promise<void> {
  await tx.insertInto("api_key").values(apiKey).execute();
}

export async function revokeApiKey(tx: Tx, key: string): Promise<void> {
  const set = { revoked_at: sql<Date>`now()` };
  await tx.updateTable("api_key").set(set).where("key", "=", key).execute();
}

/** Locks a key that is in use. Returns null if no such key exists. */
export async function lockApiKey(tx: Tx, key: string) {
  return (await keyInUse(tx, key).forUpdate().executeTakeFirst()) ?? null;
}

export async function addSecret(tx: Tx, key: string, next_secret: Buffer): Promise<void> {
  const set = { next_secret, rotated_at: sql<Date>`now()` };
  await tx.updateTable("api_key").set(set).where("key", "=", key).execute();
}

/** Replaces the first secret with the second. */
export async function dropFirstSecret(tx: Tx, key: string): Promise<void> {
  await tx
    .updateTable("api_key")
    .set((row) => ({
      secret: sql<Buffer>`${row.ref("next_secret")}`,
      next_secret: null,
      rotated_at: null,
    }))
    .where("key", "=", key)
    .execute();
}

/** Stores the time of a call with the first secret, at most once a minute. */
export async function touchApiKey(db: Db, key: string): Promise<void> {
  const touch = sql`
    update api_key set used_at = now()
    where key = ${key} and revoked_at is null
      and coalesce(used_at, '-infinity') < now() - interval '1 minute'`;
  await inPassing(db, async (tx) => await touch.execute(tx));
}

/** Returns false if the nonce is already stored. */
export async function insertNonce(db: Db, nonce_hash: Buffer): Promise<boolean> {
  const insert = db.insertInto("nonce").values({ nonce_hash });
  const { numInsertedOrUpdatedRows } = await insert
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Deletes at most `limit` nonces whose timestamps are now out of range, and returns their number. */
export async function deleteOldNonces(tx: Tx, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from nonce where nonce_hash in (
      select nonce_hash from nonce
      where at < now() - make_interval(secs => ${2 * TIMESTAMP_TOLERANCE_SECONDS}::int)
      limit ${limit} for update skip locked
    )`.execute(tx);
  return Number(numAffectedRows);
}
