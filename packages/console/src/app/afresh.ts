/**
 * Opening a page afresh: everything it held is thrown away and asked for again. `/redirect/…` does
 * it (spec §2), the refresh of the tags view goes there.
 */
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

/** Another number each time; as the key of what is to be built anew. */
export function useTimesAfresh(): number {
  return useSyncExternalStore(subscribe, () => times);
}
