/** Keys of game platforms; secrets are encrypted. */
import type { Scope } from "@red/contract/permissions";
import type { Db, Tx } from "#platform/connection";

export interface ApiKey {
  readonly key: string;
  readonly name: string;
  readonly secret: Buffer;
  readonly scopes: Scope[];
}

export async function selectApiKey(db: Db, key: string): Promise<ApiKey | null> {
  const row = await db
    .selectFrom("api_key")
    .select(["key", "name", "secret", "scopes"])
    .where("key", "=", key)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/** Revoked ones too, without secrets. */
export async function selectApiKeys(db: Db) {
  return await db
    .selectFrom("api_key")
    .select(["key", "name", "scopes", "created_at", "revoked_at"])
    .orderBy("created_at")
    .execute();
}

export async function insertApiKey(tx: Tx, apiKey: ApiKey): Promise<void> {
  await tx.insertInto("api_key").values(apiKey).execute();
}

/** False when there is no such key or it was revoked before. */
export async function revokeApiKey(tx: Tx, key: string, at: Date): Promise<boolean> {
  const result = await tx
    .updateTable("api_key")
    .set({ revoked_at: at })
    .where("key", "=", key)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
