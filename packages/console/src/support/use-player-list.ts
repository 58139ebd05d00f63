import type { QueryKey, UseQueryOptions } from "@tanstack/react-query";
import { useState } from "react";
import { PAGE_SIZE_DEFAULT } from "@red/contract/platform/limits";
import { playerViewRoutes } from "@red/contract/chances/player-view";
import { refresh } from "#lib/query.ts";
import { useList } from "#ui/list-state.ts";
import type { List } from "#ui/list-state.ts";
import type { Paging } from "#ui/pager.tsx";

/**
 * Loads a list of one player. The address does not contain page and size. Each change of page also reloads the
 * answers above the list, so that both show the same money (behaviour §6).
 */
export function usePlayerList<D extends List<unknown>>(
  label: string,
  optionsOf: (paging: Paging) => UseQueryOptions<D, Error, D, QueryKey> & { queryKey: QueryKey },
) {
  const [paging, setPaging] = useState<Paging>({ page: 1, size: PAGE_SIZE_DEFAULT });
  const list = useList<D["content"][number], D>(optionsOf(paging));
  const onChange = (next: Paging) => {
    setPaging(next);
    void refresh(playerViewRoutes.head);
  };
  return { label, list, paging: { ...paging, total: list.total, of: label, onChange } };
}
