/** Starts stopped draws or payouts again, with a one-time code (behaviour §5, §6, §9). */
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
 * Starts a target again without a code, for the command line. A target that is not stopped is fine. Throws
 * pool_not_found.
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
 * Starts a target again when the operator's code is right. Another verdict changes nothing but must be
 * committed, because wrong codes are counted. Throws pool_not_found and login_locked.
 */
export async function clearStopSwitch(
  tx: Tx,
  secrets: SecretBox,
  actor: Actor,
  target: StopTarget,
  proof: CodeProof,
  now: Date,
): Promise<CodeVerdict> {
  // Checked before the code is used up, so that a missing pool does not cost one.
  await stopKeysOf(tx, target);
  const verdict = await confirmCode(tx, secrets, actor, proof, now);
  if (verdict === "right") {
    await startAgain(tx, actor, target);
  }
  return verdict;
}
