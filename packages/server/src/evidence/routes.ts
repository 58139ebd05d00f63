/** Route for a round's evidence. */
import { AppError } from "@red/contract/errors";
import type { proofRoutes } from "@red/contract/proof";
import type { Handlers } from "#platform/handlers";
import { selectIsActivity } from "#rounds/activity-sql";
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
