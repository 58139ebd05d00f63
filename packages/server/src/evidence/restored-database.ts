/** Detects a database that was restored to an earlier state: its chain ends before the last anchor. */
import { AT_START } from "#platform/audit";
import { inTransaction } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import { doubtPayouts } from "#payouts/payout-sql";
import { setStopSwitch } from "#stops/stop-switches";
import { anchorFile, readAnchors } from "./anchors.ts";
import { selectChainEnd } from "./seal-sql.ts";

/**
 * Stops payouts if the chain of draws ends before a block that was anchored in `dataDir`, because operators must
 * first compare with the wallet. Returns whether payouts were stopped. After a planned restore, `redctl restored`
 * has already updated the anchors.
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
