import { sessionRoutes } from "./session.ts";
import { ticketRoutes } from "./ticket.ts";
import { operatorRoutes, ownRoutes } from "./operators.ts";
import { apiKeyRoutes } from "./api-key.ts";
import { savedViewRoutes } from "./saved-view.ts";

export const identityCalls = {
  session: sessionRoutes,
  ticket: ticketRoutes,
  own: ownRoutes,
  operator: operatorRoutes,
  apiKey: apiKeyRoutes,
  savedView: savedViewRoutes,
} as const;
