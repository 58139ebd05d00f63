/** Renders the open page anew and loads its data again, after `/redirect/…` (spec §2) or a change of roles. */
import { useSyncExternalStore } from "react";
import { changes } from "#lib/changes.ts";

const times = createStore(0);

export function reloadPage(): void {
  times += 1;
  announce();
}

/** The number of reloads. As a `key` it renders its element anew with each. */
export function useReloads(): number {
  return useSyncExternalStore(subscribe, () => times);
}
