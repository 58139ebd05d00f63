import { useEffect, useEffectEvent } from "react";
import type { ListState } from "#ui/list-state.ts";

/** Whether the row that the address names was found, or may still come: false once the list is loaded without it. */
export function mayBeIn(list: ListState<unknown>, row: unknown): boolean {
  const isLoaded = list.since > 0 && !list.fetching && !list.failed && !list.stopped;
  return row !== undefined || !isLoaded;
}

/**
 * For a dialog that the address names. If it cannot open, because a permission or its row is missing, `close` removes it
 * from the address: it must not open by itself later.
 */
export function useAddressed(isNamed: boolean, canOpen: boolean, close: () => void): void {
  const isLost = isNamed && !canOpen;
  const drop = useEffectEvent(close);
  useEffect(() => {
    if (isLost) {
      drop();
    }
  }, [isLost]);
}
