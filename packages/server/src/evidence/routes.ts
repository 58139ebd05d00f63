/** Routes for a round's evidence, and for the erasure of a player (behaviour §3). */
import type { erasureRoutes } from "@red/contract/erasure";
import { AppError } from "@red/contract/errors";
import type { proofRoutes } from "@red/contract/proof";
import { LOGIN_CODES } from "@red/contract/session";
import { confirmCode } from "#identity/confirm-code";
import { addressGroup } from "#platform/address-group";
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
  async erase({ tx, actor, operator, body, services, request }) {
    if (operator === null) {
      throw new AppError("signed_out");
    }
    const proof = { name: operator.name, address: addressGroup(request.ip), code: body.code };
    const verdict = await confirmCode(tx, services.secrets, actor, proof, new Date());
    // Returned, not thrown, because the count of wrong codes must be committed.
    return verdict === "right"
      ? { data: await erasePlayer(tx, actor, body.user_name), msg: "erased" }
      : { data: null, msg: verdict, code: LOGIN_CODES.code_wanted };
  },
};
