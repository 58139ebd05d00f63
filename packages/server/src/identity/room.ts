import { identityCalls } from "@red/contract/identity/room";
import { room } from "#platform/http/room";
import { apiKeyHandlers } from "./api-key-routes.ts";
import { operatorHandlers, ownHandlers } from "./operator-routes.ts";
import { savedViewHandlers } from "./saved-view-routes.ts";
import { sessionHandlers, ticketHandlers } from "./session-routes.ts";
import { sweepSignIns } from "./sweep-sign-ins.ts";

export const identityRoom = room(
  identityCalls,
  () => ({
    session: sessionHandlers,
    ticket: ticketHandlers,
    own: ownHandlers,
    operator: operatorHandlers,
    apiKey: apiKeyHandlers,
    savedView: savedViewHandlers,
  }),
  { chores: () => [{ done: "sign-ins swept", run: sweepSignIns }] },
);
