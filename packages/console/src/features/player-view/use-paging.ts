/** Page and size of a list that no address remembers. */
import { useState } from "react";
import { PAGE_SIZE_DEFAULT } from "@red/contract/limits";
import type { Paging } from "#ui/pager.tsx";

export function usePaging(): [Paging, (paging: Paging) => void] {
  return useState<Paging>({ page: 1, size: PAGE_SIZE_DEFAULT });
}
