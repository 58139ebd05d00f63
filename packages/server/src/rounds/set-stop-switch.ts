/** Stops draws, payouts, both, or the draws from one pool (behaviour §5, §6). */
import { AppError } from "@red/contract/errors";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { selectPool } from "./pool-sql.ts";
import { insertStops, lockStopSwitches, selectStopsOf } from "./stop-switch-sql.ts";
import type { StopKey } from "./stop-switch-sql.ts";

export type StopTarget =
  | { readonly name: "draws" | "payouts" | "everything" }
  | { readonly name: "pool"; readonly pool_id: number };

const DRAWS: StopKey = { name: "draws", pool_id: null };
const PAYOUTS: StopKey = { name: "payouts", pool_id: null };

/** The switches of a target. Throws pool_not_found. */
export async function stopKeysOf(tx: Tx, target: StopTarget): Promise<readonly StopKey[]> {
  switch (target.name) {
    case "draws":
      return [DRAWS];
    case "payouts":
      return [PAYOUTS];
    case "everything":
      return [DRAWS, PAYOUTS];
    case "pool": {
      if ((await selectPool(tx, target.pool_id)) === null) {
        throw new AppError("pool_not_found");
      }
      return [{ name: "pool", pool_id: target.pool_id }];
    }
    default:
      return target satisfies never;
  }
}

/** The target's stopped switches for the audit log, each with time and operator. */
export async function stopStateOf(tx: Tx, keys: readonly StopKey[]): Promise<object> {
  const stops = await selectStopsOf(tx, keys);
  return {
    stopped: stops.map(({ name, stopped_at, stopped_by, reason }) => {
      return { name, stopped_at, stopped_by, reason };
    }),
  };
}

export function stopObjectOf(target: StopTarget) {
  return target.name === "pool"
    ? { object_type: "pool", object_id: target.pool_id }
    : { object_type: "stop_switch", object_id: target.name };
}

/**
 * Stops a target; a switch that was stopped before keeps its time and operator. After the commit, no draw
 * commits and no payout is claimed for sending: those in flight hold the switches shared, so this waits for
 * them. Throws pool_not_found.
 */
export async function setStopSwitch(
  tx: Tx,
  actor: Actor,
  target: StopTarget,
  reason: string | null,
): Promise<void> {
  const keys = await stopKeysOf(tx, target);
  await lockStopSwitches(tx, keys);
  const before = await stopStateOf(tx, keys);
  await insertStops(tx, keys, { stopped_by: actor.name, reason });
  await insertAudit(tx, actor, {
    action: `stop_${target.name}`,
    ...stopObjectOf(target),
    before,
    after: await stopStateOf(tx, keys),
  });
}
