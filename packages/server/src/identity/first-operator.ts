/** The first operator of a new installation. */
import { checkOperatorName } from "./create-operator.ts";
import type { NewOperator } from "./create-operator.ts";
import { generatePassword, hashPassword } from "./password.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import { inTransaction } from "#platform/connection";
import type { Db } from "#platform/connection";
import { hasOperator, insertOperator, lockFirstOperator } from "./operator-sql.ts";

const SYSTEM: Actor = { kind: "system", name: "start", request_id: null, address: null };
const FIRST_NAME = "admin";

/**
 * Makes the first operator of a new installation: the configured one, else `admin` with a generated
 * password. Null when there is any operator, even a disabled one. Of several servers that start at once,
 * one makes it.
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
