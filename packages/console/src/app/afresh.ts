/** Rebuilds the open page and loads its data again: after `/redirect/…` (spec §2). */
import { useSyncExternalStore } from "react";

let times = 0;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export function startAfresh(): void {
  times += 1;
  listeners.forEach((listener) => listener());
}

/** Changes with each `startAfresh`: the `key` of what is rebuilt. */
export function useTimesAfresh(): number {
  return useSyncExternalStore(subscribe, () => times);
}
