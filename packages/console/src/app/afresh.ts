/** Rebuilds the open page and loads its data again: after `/redirect/…` (spec §2), or another role. */
import { useSyncExternalStore } from "react";
import { changes } from "#lib/store.ts";

let times = 0;
const { subscribe, announce } = changes();

export function startAfresh(): void {
  times += 1;
  announce();
}

/** Changes with each `startAfresh`: the `key` of what is rebuilt. */
export function useTimesAfresh(): number {
  return useSyncExternalStore(subscribe, () => times);
}
