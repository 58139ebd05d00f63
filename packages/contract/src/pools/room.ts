import { poolRoutes } from "./pool.ts";
import { prizeRoutes } from "./prize.ts";

export const poolsCalls = { pool: poolRoutes, prize: prizeRoutes } as const;
