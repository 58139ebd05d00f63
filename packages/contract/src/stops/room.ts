import { stopSwitchRoutes } from "./stop-switch.ts";

export const stopsCalls = { stopSwitch: stopSwitchRoutes } as const;
