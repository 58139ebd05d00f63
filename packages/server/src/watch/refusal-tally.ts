/**
 * Counts refused draws beside their path: in memory, added to the database every second, so that a refusal costs a draw
 * nothing. A process that is killed loses its last second; one that stops adds it.
 */
import type { ErrorKey } from "@red/contract/errors";
import type { Db } from "#platform/connection";
import { startLoop } from "#platform/upkeep-job";
import type { Loop } from "#platform/upkeep-job";
import type { Logger } from "pino";
import { addRefusals } from "./refusal-sql.ts";
import type { RefusalCount } from "./refusal-sql.ts";

const EVERY_MS = 1_000;
/** Rounds and reasons between two writes; a caller that makes up rounds must not fill the memory. */
const COUNTS_MAX = 1_000;

export interface RefusalTally extends Loop {
  add(rounds_id: number, reason: ErrorKey): void;
}

/** Without the database the counts are kept and added later, under the minute of then. */
export function startTally(db: Db, log: Pick<Logger, "warn">): RefusalTally {
  const counts = new Map<string, RefusalCount>();

  function count({ rounds_id, reason, count: more }: RefusalCount): void {
    const name = `${rounds_id} ${reason}`;
    const known = counts.get(name);
    if (known !== undefined || counts.size < COUNTS_MAX) {
      counts.set(name, { rounds_id, reason, count: (known?.count ?? 0) + more });
    }
  }

  async function flush(): Promise<void> {
    const taken = [...counts.values()];
    counts.clear();
    if (taken.length > 0) {
      await addRefusals(db, taken).catch((fault: unknown) => {
        taken.forEach(count);
        log.warn({ err: fault }, "refused draws not counted, trying again");
      });
    }
  }

  const loop = startLoop(async () => {
    await flush();
    return EVERY_MS;
  });
  return {
    add: (rounds_id, reason) => count({ rounds_id, reason, count: 1 }),
    async stop() {
      await loop.stop();
      await flush();
    },
  };
}
