/** Page and size of a player's list, which no address remembers. */
import { useState } from "react";
import { PAGE_SIZE_DEFAULT } from "@red/contract/limits";
import { playerViewRoutes } from "@red/contract/player-view";
import { refresh } from "#lib/query.ts";
import type { Paging } from "#ui/pager.tsx";

/** The answers at the top are asked for with each page: they speak of the same money as its rows (behaviour §6). */
export function usePaging(): [Paging, (paging: Paging) => void] {
  const [paging, setPaging] = useState<Paging>({ page: 1, size: PAGE_SIZE_DEFAULT });
  const turn = (next: Paging) => {
    setPaging(next);
    void refresh(playerViewRoutes.head);
  };
  return [paging, turn];
}
