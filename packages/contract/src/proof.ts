/** Evidence of a round that anybody can check (behaviour §13). */
import * as z from "zod/mini";
import { id } from "./fields.ts";
import { operator, route } from "./route.ts";

export const proofRoutes = {
  round: route({
    call: "GET /gred/api/act/{id}/proof",
    summary:
      "The sealed records of a round with rules, pools and chain, for a verifier of one's own",
    ...operator("record.read", "download"),
    params: z.object({ id: id() }),
    query: z.object({}),
  }),
};
