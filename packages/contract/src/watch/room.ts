import { watchRoutes } from "./watch.ts";

export const watchCalls = { watch: watchRoutes } as const;
