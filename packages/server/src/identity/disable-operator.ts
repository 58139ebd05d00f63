/** Disables and enables operators. */
import { operatorOf } from "./operator-of.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { updateDisabled } from "./operator-sql.ts";
import { endSessionsOf } from "./session-sql.ts";

export interface DisabledOperator {
  readonly name: string;
  readonly disabled: boolean;
  readonly sessions_ended: number;
}

/** Disabling ends all sessions. Idempotent. Throws `bad_input` when there is no such operator. */
export async function setOperatorDisabled(
  tx: Tx,
  actor: Actor,
  input: { readonly name: string; readonly disabled: boolean },
): Promise<DisabledOperator> {
  const { id, name, disabled: before } = await operatorOf(tx, input.name);
  const { disabled } = input;
  await updateDisabled(tx, id, disabled);
  const sessions_ended = disabled ? await endSessionsOf(tx, id) : 0;
  await insertAudit(tx, actor, {
    action: disabled ? "disable_operator" : "enable_operator",
    object_type: "operator",
    object_id: id,
    before: { disabled: before },
    after: { disabled, sessions_ended },
  });
  return { name, disabled, sessions_ended };
}
