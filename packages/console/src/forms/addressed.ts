import { useEffect, useEffectEvent } from "react";
import type { ListState } from "#ui/list-state.ts";

/** False once the list was loaded and lacks the row that the address names. */
export function mayBeIn(list: ListState<unknown>, row: unknown): boolean {
  const isLoaded = list.since > 0 && !list.fetching && !list.failed && !list.stopped;
  return row !== undefined || !isLoaded;
}

/**
 * A dialog named by the address. If it cannot be rendered, for lack of a permission or because its row is gone, `close`
 * takes it out of the address: it cannot open by itself later.
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
