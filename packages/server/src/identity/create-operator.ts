/** Making an operator. */
import { badInput } from "@red/contract/errors";
import { faultsOf } from "@red/contract/faults";
import { loginForm } from "@red/contract/session";
import { generatePassword, hashPassword } from "./password.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import { inTransaction } from "#platform/connection";
import type { Db } from "#platform/connection";
import { insertOperator } from "./operator-sql.ts";
import * as z from "zod/mini";

export interface NewOperator {
  readonly name: string;
  /** The generated one-time password; null when the caller gave one. */
  readonly password: string | null;
}

/** The rule of the sign-in form, so that every operator can sign in. Throws `bad_input`. */
export function checkOperatorName(name: string): string {
  const result = z.safeParse(loginForm.shape.username, name);
  if (!result.success) {
    throw badInput(faultsOf(result.error.issues, "en"));
  }
  return result.data;
}

/**
 * Makes an operator, who binds an authenticator at the first sign-in within 24 h. Generates a password if
 * none is given. Throws `bad_input` when name or password break their rules or the name is taken, compared
 * without case.
 */
export async function createOperator(
  db: Db,
  actor: Actor,
  input: { readonly name: string; readonly password: string | null },
): Promise<NewOperator> {
  const name = checkOperatorName(input.name);
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
