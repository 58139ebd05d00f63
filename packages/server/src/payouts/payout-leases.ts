/** Keeps the leases of one worker alive, and takes back what dead workers left behind (behaviour §6). */
import { inTransaction } from "#platform/connection";
import type { Db } from "#platform/connection";
import { failpoint } from "#platform/failpoint";
import { expireLeases, renewLeases } from "./payout-claim-sql.ts";
import type { HeldPayout } from "./payout-claim-sql.ts";
import type { Logger } from "pino";

export interface LeaseKeeper {
  stop(): void;
}

/** Tends at once and then three times within a lease. */
export function keepLeases(options: {
  readonly db: Db;
  readonly leaseMs: number;
  /** What this worker holds now. */
  readonly held: () => readonly HeldPayout[];
  /** Told when payouts were taken back, which are due at once. */
  readonly onExpired: () => void;
  readonly log: Pick<Logger, "warn">;
}): LeaseKeeper {
  const { db, leaseMs, held, onExpired, log } = options;
  let isTending = false;

  async function tend(): Promise<void> {
    const mine = held();
    if (mine.length > 0) {
      await inTransaction(db, (tx) => renewLeases(tx, mine, leaseMs));
    }
    const expired = await inTransaction(db, async (tx) => {
      const taken = await expireLeases(tx);
      if (taken > 0) {
        failpoint("leases_expired");
      }
      return taken;
    });
    if (expired > 0) {
      log.warn({ expired }, "leases of payouts expired, asking the wallet");
      onExpired();
    }
  }

  function tendOnce(): void {
    if (isTending) {
      return;
    }
    isTending = true;
    tend()
      .catch((fault: unknown) => log.warn({ err: fault }, "leases of payouts not tended"))
      .finally(() => {
        isTending = false;
      });
  }

  tendOnce();
  const timer = setInterval(tendOnce, leaseMs / 3);
  return { stop: () => clearInterval(timer) };
}
