/** Evidence of a round that anybody can check (behaviour §13). */
import * as z from "zod/mini";
import { byId } from "#platform/fields";
import { operator, route } from "#platform/route";

export const proofRoutes = {
  round: route({
    call: "GET /gred/api/act/{id}/proof",
    summary:
      "The sealed records of a round with rules, pools and chain, for a verifier of one's own",
    // The file contains prices with log_ids, and one commitment for all draws of a player.
    ...operator(["record.read", "amount.see"], "download"),
    params: byId,
    query: z.object({}),
  }),
};
