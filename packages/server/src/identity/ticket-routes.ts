/** Tickets for downloads. */
import { AppError } from "@red/contract/errors";
import type { ticketRoutes } from "@red/contract/ticket";
import { createTicket } from "./create-ticket.ts";
import type { Handlers } from "#platform/handlers";

export const ticketHandlers: Handlers<typeof ticketRoutes> = {
  create: async ({ tx, actor, operator, body }) => {
    if (operator === null) {
      throw new AppError("signed_out");
    }
    return { data: { ticket: await createTicket(tx, actor, operator.token_hash, body) } };
  },
};
