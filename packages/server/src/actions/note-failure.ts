/** Counts what did not prove who somebody is (behaviour §9). */
import { LOGIN_FAILURES_MAX } from "@red/contract/limits";
import { insertRefusal } from "#db/audit";
import type { Actor } from "#db/audit";
import type { Tx } from "#db/connection";
import { insertFailure, selectFailures } from "#db/login-failure";
import type { Attempt } from "#db/login-failure";

/**
 * Notes a failure of a locked attempt at `action`; the one that reaches the limit is worth an audit
 * row. The transaction has to commit, or it was none.
 */
export async function noteFailure(
  tx: Tx,
  actor: Actor,
  attempt: Attempt,
  action: "log_in" | "confirm_code",
): Promise<void> {
  await insertFailure(tx, attempt);
  const { count, minutes } = await selectFailures(tx, attempt);
  if (count === LOGIN_FAILURES_MAX) {
    await insertRefusal(tx, actor, {
      action,
      object_type: "operator",
      object_id: attempt.name,
      after: { failures: count, locked_minutes: minutes },
    });
  }
}
