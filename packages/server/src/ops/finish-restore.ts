/**
 * Makes a restored database safe to pay from (behaviour §6): it has forgotten what the wallet did since
 * the backup, so nothing is sent until somebody has compared the two, and whatever was on its way is
 * asked about first.
 */
import { setStopSwitch } from "#rounds/set-stop-switch";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { doubtPayouts } from "#payouts/payout-sql";
import { selectLastSeal } from "#evidence/seal-sql";

export interface FinishedRestore {
  /** How many payouts the wallet has to be asked about. */
  readonly asked: number;
  /** Where the chain of sealed records ends; 0: it has no block. */
  readonly seal: number;
}

/** Stops payouts and doubts those that are not settled; `made_at` is when the backup was made. */
export async function finishRestore(
  tx: Tx,
  actor: Actor,
  made_at: string,
): Promise<FinishedRestore> {
  const asked = await doubtPayouts(tx);
  const reason = `restored from a backup of ${made_at}`;
  await setStopSwitch(tx, actor, { name: "payouts" }, reason);
  await insertAudit(tx, actor, {
    action: "restore",
    object_type: "installation",
    after: { made_at, asked },
  });
  return { asked, seal: (await selectLastSeal(tx))?.no ?? 0 };
}
