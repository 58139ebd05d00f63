import { poolRoutes } from "@red/contract/pool";
import { prizeRoutes } from "@red/contract/prize";
import { refresh } from "#lib/query.ts";

export function refreshPrizes(): Promise<void> {
  return refresh(prizeRoutes.list, prizeRoutes.totals, poolRoutes.list, poolRoutes.versions);
}
