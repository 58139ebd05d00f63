/** A payout worker as a process that tests kill. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { PayoutWorkerOptions } from "#payouts/payout-job";
import { endProcess } from "#test/entry-process";
import type { FaultWallet } from "#test/fault-wallet";
import type { TestDb } from "#test/test-db";
import { onTestFinished } from "vitest";

const ENTRY = fileURLToPath(new URL("./worker-process.ts", import.meta.url));

/** Waits until the worker is ready; answers how to kill it (SIGKILL), also at the end of the test. */
export async function startWorkerProcess(
  t: TestDb,
  wallet: FaultWallet,
  how: Pick<PayoutWorkerOptions, "schedule" | "patience" | "limits">,
  environment: Readonly<Record<string, string>> = {},
): Promise<() => Promise<void>> {
  const options = JSON.stringify({ connection: t.connection, wallet: wallet.access, ...how });
  const child = spawn(process.execPath, ["--import", "tsx", ENTRY, options], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment },
  });
  const kill = () => endProcess(child);
  onTestFinished(kill);
  await once(child.stdout, "data");
  return kill;
}
