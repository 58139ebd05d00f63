import { poolRoutes } from "@red/contract/pools/pool";
import { prizeRoutes } from "@red/contract/pools/prize";

/** Everything that a change of prizes changes. */
export const PRIZE_LISTS = [
  prizeRoutes.list,
  prizeRoutes.totals,
  poolRoutes.list,
  poolRoutes.versions,
] as const;
