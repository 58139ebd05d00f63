/** Erases a player (behaviour §3): what happened stays, whom it happened to goes. */
import { randomBytes } from "node:crypto";
import { AppError } from "@red/contract/errors";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { requirePlayer } from "#players/player-sql";
import {
  cutCommitments,
  cutNames,
  deletePersonalTexts,
  deleteViewsNaming,
  lockErasable,
  renamePlayer,
  replaceNames,
  selectOwedPayouts,
  selectRewritten,
} from "./erase-player-sql.ts";

/** Payouts that the wallet may still have to be called for: without the id nobody could be paid. */
async function playerToErase(tx: Tx, user_name: string) {
  const player = await requirePlayer(tx, user_name);
  if (player.erased_at !== null) {
    throw new AppError("player_erased");
  }
  await lockErasable(tx, player.player_key);
  const { owed, held } = await selectOwedPayouts(tx, player.player_key);
  if (held > 0) {
    throw new AppError("player_held", { count: held });
  }
  if (owed > 0) {
    throw new AppError("player_owed", { count: owed });
  }
  return player;
}

/**
 * Replaces id and account of a player in all tables by a random name, deletes the salt and the texts of wallet calls,
 * and blocks the player for good. Draws, payouts and sums stay, and so do the proofs (`erased_commitment`). Backups
 * made before still hold the names. Answers the name. Throws player_unknown, player_erased, player_held while an
 * exclusion holds a payout, and player_owed while another is open.
 */
export async function erasePlayer(tx: Tx, actor: Actor, user_name: string) {
  const player = await playerToErase(tx, user_name);
  const { player_key, player_id } = player;
  const instead = `erased-${randomBytes(8).toString("hex")}`;
  await cutCommitments(tx, player);
  await deletePersonalTexts(tx, player_key);
  const names = [player_id, player.user_name];
  await deleteViewsNaming(tx, names);
  await replaceNames(tx, { player_key, names }, instead);
  await renamePlayer(tx, player_key, instead);
  const reason = actor.reason ? cutNames(actor.reason, names, instead) : null;
  const by = { ...actor, reason };
  await insertAudit(tx, by, {
    action: "erase_player",
    object_type: "player",
    object_id: instead,
    after: { rewritten: await selectRewritten(tx, instead) },
    about: { player: [player_key] },
  });
  return { player_id: instead };
}
