/** Counts what did not prove who somebody is (behaviour §9). */
import { LOGIN_FAILURES_MAX } from "@red/contract/limits";
import { insertRefusal } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { insertFailure, selectFailures } from "./login-failure-sql.ts";
import type { Attempt } from "./login-failure-sql.ts";

/** What was tried, by whom as far as that is known, and what was wrong. */
export interface Failure {
  readonly action: "log_in" | "confirm_code";
  /** Null when nobody has the name: what was typed there, perhaps a password, is not kept for good. */
  readonly operator_id: number | null;
  readonly why: "unknown_name" | "disabled" | "wrong_password" | "wrong_code";
}

/**
 * Notes a failure of a locked attempt, with an audit row; the limit bounds how many there can be. The
 * transaction has to commit, or it was none.
 */
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
