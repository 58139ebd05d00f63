/** A payout worker to be killed: options as JSON in the first argument; prints a line when ready. */
import { openDb, openPool } from "#platform/db/connection";
import type { ConnectionConfig } from "#platform/db/connection";
import { startPayoutWorker } from "#payouts/payout-job";
import type { PayoutWorkerOptions } from "#payouts/payout-job";
import { pino } from "pino";

type Given = Pick<PayoutWorkerOptions, "wallet" | "schedule" | "patience" | "limits"> & {
  readonly connection: ConnectionConfig;
};

// The test that starts this process wrote the options.
const options = JSON.parse(process.argv[2] ?? "") as Given;
const log = pino({ level: "silent" });
const pool = openPool(options.connection, {
  max: 8,
  name: "test worker",
  statementTimeoutMs: 30_000,
  onFault: () => {},
});
await startPayoutWorker({
  ...options,
  db: openDb(pool),
  perSecond: null,
  timeZone: "Asia/Shanghai",
  log,
});
process.stdout.write("working\n");
