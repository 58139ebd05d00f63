/** Erases a player (behaviour §3): the events stay, the name is removed. */
import { randomBytes } from "node:crypto";
import { AppError } from "@red/contract/platform/errors";
import { noRisk } from "@red/engine/risk";
import type { Language } from "@red/contract/platform/texts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import { accountRef } from "#platform/player-names";
import { requirePlayer } from "#players/player-sql";
import { dropWaiting } from "./erase-approvals.ts";
import { countLeft, cutOlderRows } from "./erase-older-rows.ts";
import {
  cutCommitments,
  cutOwnTexts,
  deletePersonalTexts,
  deleteViewsNaming,
  lockErasable,
  referStated,
  renamePlayer,
  selectNames,
  selectOwedPayouts,
} from "./erase-player-sql.ts";

/**
 * Throws player_unknown, player_erased, player_held while an exclusion holds a payout, and player_owed while
 * another payout is open. Without the player's id such a payout could not be paid.
 */
export async function requireErasable(tx: Tx, user_name: string) {
  const player = await requirePlayer(tx, user_name);
  if (player.erased_at !== null) {
    throw new AppError("player_erased");
  }
  const { owed, held } = await selectOwedPayouts(tx, player.player_key);
  if (held > 0) {
    throw new AppError("player_held", { count: held });
  }
  if (owed > 0) {
    throw new AppError("player_owed", { count: owed });
  }
  return player;
}

/** How to end changes that wait for a second person. */
interface Terms {
  /** Language of the note to the makers of these changes. */
  readonly language: Language;
  /** Whether this erasing is itself an approved change. */
  readonly isApproved: boolean;
}

/**
 * Replaces id and account of a player by a random name, deletes former names, the salt and the texts of wallet
 * calls, and blocks the player permanently. Stored texts refer to players by reference, so they show the random
 * name from now on; rows of earlier releases lose the names in fields for player names. Draws, payouts, totals
 * and proofs (`erased_commitment`) stay, and earlier backups still contain the names. Returns the random name and
 * the number of rows in which a word may still mean the player. Throws the errors of `requireErasable`.
 */
export async function erasePlayer(
  tx: Tx,
  actor: Actor,
  user_name: string,
  { language, isApproved }: Terms = { language: "en", isApproved: false },
) {
  const { player_key } = await requirePlayer(tx, user_name);
  await lockErasable(tx, player_key);
  const player = await requireErasable(tx, user_name);
  const instead = `erased-${randomBytes(8).toString("hex")}`;
  const names = await selectNames(tx, player);
  await cutCommitments(tx, player);
  await deletePersonalTexts(tx, player_key);
  await deleteViewsNaming(tx, names);
  const dropped = await dropWaiting(tx, actor, names, { instead, language, isApproved });
  await referStated(tx, names);
  await cutOwnTexts(tx, player_key, instead);
  const rewritten = await cutOlderRows(tx, names, instead);
  await renamePlayer(tx, player_key, instead);
  const left = await countLeft(tx, names);
  await insertAudit(tx, actor, {
    action: "erase_player",
    object_type: "player",
    object_id: accountRef(player_key),
    after: { rewritten, left, dropped },
    about: { player: [player_key] },
  });
  return { data: { player_id: instead, left }, risk: noRisk("names cost nothing") };
}
