/** Tickets: what a download's address carries instead of a token (behaviour §9). */
import * as z from "zod/mini";
import { route } from "./route.ts";

export const TICKET_SECONDS = 60;

export const ticketRoutes = {
  create: route({
    method: "POST",
    path: "/gred/api/ticket",
    summary: "A ticket for one download: one use, 60 s, bound to operator, path and filters",
    auth: { by: "operator", permission: "signed_in" },
    access: "write",
    body: z.strictObject({
      path: z
        .string({ error: "not_a_text" })
        .check(z.startsWith("/", "not_in_set"), z.maxLength(200, "too_long|max=200")),
      query: z.record(
        z.string(),
        z.string({ error: "not_a_text" }).check(z.maxLength(500, "too_long|max=500")),
      ),
    }),
    data: z.object({ ticket: z.string() }),
  }),
};
