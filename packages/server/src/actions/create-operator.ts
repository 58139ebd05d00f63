/** Making operators: by hand, and the first one of a new installation. */
import { badInput } from "@red/contract/errors";
import { faultsOf } from "@red/contract/faults";
import { loginForm } from "@red/contract/session";
import { generatePassword, hashPassword } from "#actions/password";
import { insertAudit } from "#db/audit";
import type { Actor } from "#db/audit";
import { inTransaction } from "#db/connection";
import type { Db } from "#db/connection";
import { hasOperator, insertOperator, lockFirstOperator } from "#db/operator";
import * as z from "zod/mini";

export interface NewOperator {
  readonly name: string;
  /** The one-time password made here; null when the caller gave one. */
  readonly password: string | null;
}

/** By the rule of the sign-in form, so that everybody made here can sign in. */
function checkName(name: string): string {
  const result = z.safeParse(loginForm.shape.username, name);
  if (!result.success) {
    throw badInput(faultsOf(result.error.issues, "en"));
  }
  return result.data;
}

/**
 * Makes an operator, who binds an authenticator at the first sign-in within 24 h. Without a password
 * one is generated and answered. Throws `bad_input` when name or password break their rules or
 * another operator has the name, compared without case.
 */
export async function createOperator(
  db: Db,
  actor: Actor,
  input: { readonly name: string; readonly password: string | null },
): Promise<NewOperator> {
  const name = checkName(input.name);
  const generated = input.password === null ? generatePassword() : null;
  const password_hash = await hashPassword(input.password ?? generated ?? "");
  await inTransaction(db, async (tx) => {
    const id = await insertOperator(tx, { name, password_hash });
    if (id === null) {
      throw badInput([{ field: "name", msg: `there is an operator "${name}" already` }]);
    }
    await insertAudit(tx, actor, {
      action: "create_operator",
      object_type: "operator",
      object_id: id,
      after: { name },
    });
  });
  return { name, password: generated };
}

/** Who makes the first operator. */
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
  const name = checkName(configured?.username ?? FIRST_NAME);
  const generated = configured === null ? generatePassword() : null;
  const password_hash = await hashPassword(configured?.password ?? generated ?? "");
  return await inTransaction(db, async (tx) => {
    await lockFirstOperator(tx);
    if (await hasOperator(tx)) {
      return null;
    }
    const id = await insertOperator(tx, { name, password_hash });
    await insertAudit(tx, SYSTEM, {
      action: "create_operator",
      object_type: "operator",
      object_id: id,
      after: { name },
    });
    return { name, password: generated };
  });
}
