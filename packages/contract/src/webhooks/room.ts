import { webhookRoutes } from "./webhook.ts";

export const webhooksCalls = { webhook: webhookRoutes } as const;
