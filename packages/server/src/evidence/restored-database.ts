/** Notices a database that has forgotten what it had sealed: it was put back to an earlier state. */
import { AT_START } from "#platform/audit";
import { inTransaction } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import { doubtPayouts } from "#payouts/payout-sql";
import { setStopSwitch } from "#stops/stop-switches";
import { anchorFile, readAnchors } from "./anchors.ts";
import { selectChainEnd } from "./seal-sql.ts";

/**
 * Stops payouts, to be compared with the wallet first, when the chain of draws ends before a block that was anchored in
 * `dataDir`; answers whether it does. `redctl restored` has told the anchors of a restore that was meant.
 */
export async function stopIfRestored(db: Db, dataDir: string): Promise<boolean> {
  const anchored = (await readAnchors(anchorFile(dataDir))).at(-1)?.no ?? 0;
  return await inTransaction(db, async (tx) => {
    const { no: end } = await selectChainEnd(tx);
    if (end >= anchored) {
      return false;
    }
    const reason = `the database ends at block ${end}, block ${anchored} was anchored: it was restored`;
    await doubtPayouts(tx);
    await setStopSwitch(tx, AT_START, { name: "payouts" }, reason);
    return true;
  });
}
