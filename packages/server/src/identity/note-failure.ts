/** Counts failed proofs of identity (behaviour §9). */
import { LOGIN_FAILURES_MAX } from "@red/contract/limits";
import { insertRefusal } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { insertFailure, selectFailures } from "./login-failure-sql.ts";
import type { Attempt } from "./login-failure-sql.ts";

export interface Failure {
  readonly action: "log_in" | "confirm_code";
  /** Null for an unknown name: that name may be a password, so it is not kept. */
  readonly operator_id: number | null;
  readonly why: "unknown_name" | "disabled" | "wrong_password" | "wrong_code";
}

/** Records a failure and its audit row under the lock of the attempt. The transaction must commit. */
export async function noteFailure(
  tx: Tx,
  actor: Actor,
  attempt: Attempt,
  { action, operator_id, why }: Failure,
): Promise<void> {
  await insertFailure(tx, attempt);
  const { count, minutes } = await selectFailures(tx, attempt);
  const isLocked = count >= LOGIN_FAILURES_MAX;
  await insertRefusal(tx, actor, {
    action,
    object_type: "operator",
    object_id: operator_id,
    after: { why, failures: count, ...(isLocked && { locked_minutes: minutes }) },
  });
}
