import { useEffect, useEffectEvent } from "react";
import type { ListState } from "#ui/list-state.ts";

/** Returns false only if the list is loaded and does not contain the row that the address names. */
export function mayBeIn(list: ListState<unknown>, row: unknown): boolean {
  const isLoaded = list.since > 0 && !list.fetching && !list.failed && !list.stopped;
  return row !== undefined || !isLoaded;
}

/**
 * Handles a dialog that the address opens. If the dialog cannot open, because a permission or its row is missing,
 * `close` removes the dialog from the address. Otherwise the dialog could open by itself later.
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
