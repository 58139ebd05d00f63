/** Checks that SECRET_KEY is the key of this database: no other key can decrypt the stored canary. */
import type { SecretBox } from "./secret-box.ts";
import { inTransaction } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import { insertFact, selectFact } from "#platform/db/installation-sql";

const PURPOSE = "canary";
const TEXT = "canary";

function opens(secrets: SecretBox, sealed: string): boolean {
  try {
    return secrets.open(PURPOSE, Buffer.from(sealed, "base64")) === TEXT;
  } catch {
    return false;
  }
}

/** Returns null if the database has no canary yet. */
export async function isSecretKeyRight(db: Db, secrets: SecretBox): Promise<boolean | null> {
  const sealed = await selectFact(db, "secret_key");
  return sealed === null ? null : opens(secrets, sealed);
}

/**
 * Stores the canary if it is missing. Throws if the key cannot decrypt the canary, so nothing is encrypted under a
 * wrong key.
 */
export async function ensureSecretKeyRight(db: Db, secrets: SecretBox): Promise<void> {
  if ((await isSecretKeyRight(db, secrets)) === null) {
    const sealed = secrets.seal(PURPOSE, TEXT).toString("base64");
    await inTransaction(db, (tx) => insertFact(tx, "secret_key", sealed));
  }
  if ((await isSecretKeyRight(db, secrets)) !== true) {
    throw new Error(
      "SECRET_KEY is not the one that this database was begun with: its authenticators and keys cannot be opened. Give the old one back (SECRET_KEY, or the file secret-key in DATA_DIR)",
    );
  }
}
