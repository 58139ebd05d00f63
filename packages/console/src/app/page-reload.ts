/** Rebuilds the open page and loads its data again: after `/redirect/…` (spec §2), or another role. */
import { useSyncExternalStore } from "react";
import { changes } from "#lib/changes.ts";

let times = 0;
const { subscribe, announce } = changes();

export function reloadPage(): void {
  times += 1;
  announce();
}

/** Changes with each `reloadPage`: the `key` of what is rebuilt. */
export function useReloads(): number {
  return useSyncExternalStore(subscribe, () => times);
}
