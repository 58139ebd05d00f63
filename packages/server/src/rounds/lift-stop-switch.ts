/** Starts again what was stopped, with a one-time code (behaviour §5, §6, §9). */
import { confirmCode } from "#identity/confirm-code";
import type { CodeProof, CodeVerdict } from "#identity/confirm-code";
import type { SecretBox } from "#platform/secret-box";
import { stopKeysOf, stopObjectOf, stopStateOf } from "./set-stop-switch.ts";
import type { StopTarget } from "./set-stop-switch.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { notifyPayoutWorkers } from "#platform/listen";
import { deleteStops, lockStopSwitches } from "./stop-switch-sql.ts";

/**
 * Starts a target again, also one that was not stopped, for somebody who need not show a code: the
 * command line of the machine. Throws pool_not_found.
 */
export async function startAgain(tx: Tx, actor: Actor, target: StopTarget): Promise<void> {
  const keys = await stopKeysOf(tx, target);
  await lockStopSwitches(tx, keys);
  const before = await stopStateOf(tx, keys);
  await deleteStops(tx, keys);
  await notifyPayoutWorkers(tx);
  await insertAudit(tx, actor, {
    action: `start_${target.name}`,
    ...stopObjectOf(target),
    before,
    after: await stopStateOf(tx, keys),
  });
}

/**
 * Starts a target again when the operator's code is right. Any other verdict changes nothing, but has
 * to be committed: a wrong code is counted. Throws pool_not_found and login_locked.
 */
export async function liftStopSwitch(
  tx: Tx,
  secrets: SecretBox,
  actor: Actor,
  target: StopTarget,
  proof: CodeProof,
  now: Date,
): Promise<CodeVerdict> {
  // Before the code is used up: a pool that is gone is no reason for another code.
  await stopKeysOf(tx, target);
  const verdict = await confirmCode(tx, secrets, actor, proof, now);
  if (verdict === "right") {
    await startAgain(tx, actor, target);
  }
  return verdict;
}
