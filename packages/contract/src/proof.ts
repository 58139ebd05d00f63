/** Evidence of a round that anybody can check (behaviour §13). */
import * as z from "zod/mini";
import { id } from "./fields.ts";
import { route } from "./route.ts";

export const proofRoutes = {
  round: route({
    method: "GET",
    path: "/gred/api/act/{id}/proof",
    summary:
      "The sealed records of a round with rules, pools and chain, for a verifier of one's own",
    auth: { by: "operator", permission: "record.read" },
    access: "download",
    params: z.object({ id: id() }),
    query: z.object({}),
    data: z.null(),
  }),
};
