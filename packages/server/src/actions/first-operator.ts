/** The first operator of a new installation. */
import { checkOperatorName } from "#actions/create-operator";
import type { NewOperator } from "#actions/create-operator";
import { generatePassword, hashPassword } from "#actions/password";
import { insertAudit } from "#db/audit";
import type { Actor } from "#db/audit";
import { inTransaction } from "#db/connection";
import type { Db } from "#db/connection";
import { hasOperator, insertOperator, lockFirstOperator } from "#db/operator";

const SYSTEM: Actor = { kind: "system", name: "start", request_id: null, address: null };
const FIRST_NAME = "admin";

/**
 * Makes the first operator of a new installation: the configured one, else `admin` with a generated
 * password. Null when there is an operator, disabled ones included. Of several servers that start at
 * once one makes it.
 */
export async function ensureFirstOperator(
  db: Db,
  configured: { readonly username: string; readonly password: string } | null,
): Promise<NewOperator | null> {
  if (await hasOperator(db)) {
    return null;
  }
  const name = checkOperatorName(configured?.username ?? FIRST_NAME);
  const generated = configured === null ? generatePassword() : null;
  const password_hash = await hashPassword(configured?.password ?? generated ?? "");
  return await inTransaction(db, async (tx) => {
    await lockFirstOperator(tx);
    if (await hasOperator(tx)) {
      return null;
    }
    const id = await insertOperator(tx, { name, password_hash });
    if (id === null) {
      return null;
    }
    await insertAudit(tx, SYSTEM, {
      action: "create_operator",
      object_type: "operator",
      object_id: id,
      after: { name },
    });
    return { name, password: generated };
  });
}
