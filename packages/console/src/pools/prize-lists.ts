import { LOOKUP_SIZE } from "@red/contract/platform/limits";
import { poolRoutes } from "@red/contract/pools/pool";
import { prizeRoutes } from "@red/contract/pools/prize";
import { queryOf } from "#lib/query.ts";

/** Lists to load again after a change of prizes. */
export const PRIZE_LISTS = [
  prizeRoutes.list,
  prizeRoutes.totals,
  poolRoutes.list,
  poolRoutes.versions,
] as const;

export function prizesOf(pool_name: string) {
  return queryOf(prizeRoutes.list, { query: { pool_name, page: 1, size: LOOKUP_SIZE } });
}
