/** Stops draws, payouts, both, or the draws from one pool, and starts them again (behaviour §5, §6, §9). */
import { AppError } from "@red/contract/platform/errors";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import type { Costed } from "#platform/handlers";
import { noRisk } from "@red/engine/risk";
import { notifyPayoutWorkers } from "#platform/db/listen";
import {
  deleteStops,
  hasPool,
  insertStops,
  lockStopSwitches,
  selectStopsOf,
} from "./stop-switch-sql.ts";
import type { StopKey } from "./stop-switch-sql.ts";

export type StopTarget =
  | { readonly name: "draws" | "payouts" | "everything" }
  | { readonly name: "pool"; readonly pool_id: number };

const DRAWS: StopKey = { name: "draws", pool_id: null };
const PAYOUTS: StopKey = { name: "payouts", pool_id: null };

/** Returns the switches of a target. Throws `pool_not_found`. */
async function stopKeysOf(tx: Tx, target: StopTarget): Promise<readonly StopKey[]> {
  switch (target.name) {
    case "draws":
      return [DRAWS];
    case "payouts":
      return [PAYOUTS];
    case "everything":
      return [DRAWS, PAYOUTS];
    case "pool": {
      if (!(await hasPool(tx, target.pool_id))) {
        throw new AppError("pool_not_found");
      }
      return [{ name: "pool", pool_id: target.pool_id }];
    }
    default:
      return target satisfies never;
  }
}

/**
 * Changes the switches of a target under their locks, and writes their state before and after to the audit
 * log. Throws `pool_not_found`.
 */
async function switchTarget(
  tx: Tx,
  actor: Actor,
  verb: "stop" | "start",
  target: StopTarget,
  change: (keys: readonly StopKey[]) => Promise<void>,
): Promise<void> {
  const keys = await stopKeysOf(tx, target);
  await lockStopSwitches(tx, keys);
  const state = async () => ({
    stopped: (await selectStopsOf(tx, keys)).map(({ name, stopped_at, stopped_by, reason }) => {
      return { name, stopped_at, stopped_by, reason };
    }),
  });
  const before = await state();
  await change(keys);
  await insertAudit(tx, actor, {
    action: `${verb}_${target.name}`,
    ...(target.name === "pool"
      ? { object_type: "pool", object_id: target.pool_id }
      : { object_type: "stop_switch", object_id: target.name }),
    before,
    after: await state(),
  });
}

/**
 * Stops a target and waits for running draws and payout claims: after this transaction no draw or claim of the target
 * commits. A switch that is already stopped keeps its time and operator. Throws `pool_not_found`.
 */
export async function setStopSwitch(
  tx: Tx,
  actor: Actor,
  target: StopTarget,
  reason: string | null,
): Promise<void> {
  await switchTarget(tx, actor, "stop", target, (keys) =>
    insertStops(tx, keys, { stopped_by: actor.name, reason }),
  );
}

/** Starts a target again, or does nothing if the target is not stopped. Throws `pool_not_found`. */
export async function startAgain(tx: Tx, actor: Actor, target: StopTarget): Promise<Costed<null>> {
  await switchTarget(tx, actor, "start", target, async (keys) => {
    await deleteStops(tx, keys);
    await notifyPayoutWorkers(tx);
  });
  return { data: null, risk: noRisk("it goes on as it was") };
}
