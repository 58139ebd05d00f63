/** Finds the operator that a command names. */
import { badInput } from "@red/contract/errors";
import type { Tx } from "#platform/connection";
import { lockOperator } from "./operator-sql.ts";
import type { OperatorSecrets } from "./operator-sql.ts";

/** Locks the operator; the name is compared without case. Throws `bad_input` when there is none. */
export async function operatorOf(tx: Tx, name: string): Promise<OperatorSecrets> {
  const operator = await lockOperator(tx, name.trim());
  if (operator === null) {
    throw badInput([{ field: "name", msg: `there is no operator "${name}"` }]);
  }
  return operator;
}
