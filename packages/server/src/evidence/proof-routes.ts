/** Routes for a round's evidence and for the erasure of a player (behaviour §3). */
import type { erasureRoutes } from "@red/contract/evidence/erasure";
import { AppError } from "@red/contract/platform/errors";
import type { proofRoutes } from "@red/contract/evidence/proof";
import type { Handlers } from "#platform/handlers";
import { selectIsActivity } from "#rounds/activity-sql";
import { erasePlayer } from "./erase-player.ts";
import { roundProof } from "./round-proof.ts";

export const proofHandlers: Handlers<typeof proofRoutes> = {
  async round({ db, params }) {
    if (!(await selectIsActivity(db, params.id))) {
      throw new AppError("activity_not_found");
    }
    return {
      filename: `proof-${params.id}.jsonl`,
      type: "application/jsonl; charset=utf-8",
      content: roundProof(db, params.id),
    };
  },
};

export const erasureHandlers: Handlers<typeof erasureRoutes> = {
  async erase({ tx, actor, body, language, isApproved = false }) {
    const terms = { language, isApproved };
    return { ...(await erasePlayer(tx, actor, body.user_name, terms)), msg: "erased" };
  },
};
