import { AppError } from "@red/contract/platform/errors";
import type { extraTimesRoutes } from "@red/contract/players/extra-times";
import type { Answer } from "@red/contract/platform/route";
import { insertAudit, insertRefusal } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import { moveTakenBack, selectHolders } from "./extra-time-sql.ts";
import type { GrantedPart } from "./extra-time-sql.ts";
import { raisePlayerVersions } from "./player-sql.ts";

/**
 * Takes back the unused extra times of one grant or of a batch, including expired ones. Locks the
 * players first: then a running draw has either used its extra time already or can no longer find
 * it. Throws extra_time_not_found if no extra time matches.
 */
export async function takeBackExtraTimes(
  tx: Tx,
  actor: Actor,
  part: GrantedPart,
  reason: string,
): Promise<Answer<typeof extraTimesRoutes.takeBack>> {
  const holders = await selectHolders(tx, part);
  if (holders.length === 0) {
    throw new AppError("extra_time_not_found");
  }
  await raisePlayerVersions(tx, holders);
  const { ids, used } = await moveTakenBack(tx, part, actor.name, reason);
  const entry = {
    action: "take_back_extra_times",
    object_type: "extra_time",
    object_id: part.id ?? `batch ${part.batch_id}`,
    about: { player: holders },
  };
  if (ids.length === 0) {
    await insertRefusal(tx, actor, { ...entry, after: { used, reason } });
  } else {
    await insertAudit(tx, actor, { ...entry, after: { ids, used, reason } });
  }
  return { taken_back: ids.length, used };
}
