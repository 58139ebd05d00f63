/** Registers the routes and tasks of payouts. The server itself starts the payout worker, once it knows the wallet. */
import { payoutsCalls } from "@red/contract/payouts/room";
import { room } from "#platform/http/room";
import { inTransaction } from "#platform/db/connection";
import { noteUpkeep } from "#platform/http/metrics";
import type { JobDeps } from "#platform/http/room";
import { startLoop } from "#platform/upkeep-job";
import { deleteOldJobs, noteOutcomes } from "./job-sql.ts";
import { payoutHandlers } from "./payout-routes.ts";
import { walletHandlers, walletMeasured } from "./wallet-routes.ts";

/** Stores the outcomes of job payouts every second. */
function startOutcomes({ db, log }: Pick<JobDeps, "db" | "log">) {
  noteUpkeep("jobs");
  const warn = (err: unknown) => log.warn({ err }, "jobs not noted, trying again");
  const note = () => inTransaction(db, noteOutcomes).then(() => noteUpkeep("jobs"), warn);
  return startLoop(() => note().then(() => 1_000));
}

export const payoutsRoom = room(
  payoutsCalls,
  () => ({ payout: payoutHandlers, wallet: walletHandlers }),
  {
    jobs: (deps) => [startOutcomes(deps)],
    chores: () => [{ done: "old jobs deleted", run: deleteOldJobs }],
    measured: walletMeasured,
  },
);
