/** Page and size of a player's list, not kept in the address. */
import { useState } from "react";
import { PAGE_SIZE_DEFAULT } from "@red/contract/limits";
import { playerViewRoutes } from "@red/contract/player-view";
import { refresh } from "#lib/query.ts";
import type { Paging } from "#ui/pager.tsx";

/** Each page reloads the answers at the top, so that both show the same money (behaviour §6). */
export function usePaging(): [Paging, (paging: Paging) => void] {
  const [paging, setPaging] = useState<Paging>({ page: 1, size: PAGE_SIZE_DEFAULT });
  const changePage = (next: Paging) => {
    setPaging(next);
    void refresh(playerViewRoutes.head);
  };
  return [paging, changePage];
}
