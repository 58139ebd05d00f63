/** Copies a round to another day, with a copy of its pool (behaviour §3, §13). */
import type { activityCopy } from "@red/contract/activity";
import { isDateTime } from "@red/contract/datetime";
import { AppError } from "@red/contract/errors";
import { copiedRoundName, copyName, timesFrom } from "@red/engine/copy-round";
import { activityValues } from "./activity-form.ts";
import { insertPoolCopy } from "./copy-pool.ts";
import {
  insertActivity,
  insertActivityRule,
  selectActivity,
  selectRoundNames,
  toActivity,
} from "./activity-sql.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { lockPool, selectPoolNames } from "./pool-sql.ts";
import type * as z from "zod/mini";

type Copy = z.output<typeof activityCopy>;

interface Copied {
  readonly id: number;
  readonly rounds_name: string;
  readonly pool_id: number;
  readonly pool_name: string;
}

/**
 * Adds an active round that starts on `start_date`, with a new pool of the same prizes and full stock; the
 * original stays unchanged. Missing names are derived. Throws activity_not_found, pool_not_found,
 * activity_out_of_dates, condition_month_detached and what activityValues throws; a given name that is taken violates a constraint.
 */
export async function copyActivity(
  tx: Tx,
  actor: Actor,
  id: number,
  copy: Copy,
  timeZone: string,
): Promise<Copied> {
  const source = await selectActivity(tx, id);
  if (source === null) {
    throw new AppError("activity_not_found");
  }
  const { start_date } = copy;
  const sourcePool = await lockPool(tx, source.pool_id);
  if (sourcePool === null) {
    throw new AppError("pool_not_found");
  }
  const pool_name =
    copy.pool_name ?? copyName(sourcePool.pool_name, start_date, await selectPoolNames(tx));
  const pool = await insertPoolCopy(tx, sourcePool, pool_name);
  const rounds_name =
    copy.rounds_name ??
    copiedRoundName(source.rounds_name, start_date, await selectRoundNames(tx, start_date));
  const { condition_value_cents: condition_value, condition_name } = source;
  const times = timesFrom(toActivity(source, timeZone), start_date);
  if (!Object.values(times).every(isDateTime)) {
    throw new AppError("activity_out_of_dates");
  }
  const form = { ...source, ...times, rounds_name, pool_name, condition_name, condition_value };
  const copied = await insertActivity(tx, activityValues(form, pool.id, timeZone));
  await insertActivityRule(tx, copied);
  const after = await selectActivity(tx, copied);
  await insertAudit(tx, actor, {
    action: "copy_activity",
    object_type: "activity",
    object_id: copied,
    after: { ...(after && toActivity(after, timeZone)), copy_of: id, pool_copy_of: sourcePool.id },
  });
  return { id: copied, rounds_name, pool_id: pool.id, pool_name };
}
