import { useCallback, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** A text in local storage and its setter. The value null removes the text. */
export function useStored(key: string): [string | null, (value: string | null) => void] {
  const value = useSyncExternalStore(subscribe, () => localStorage.getItem(key));
  const set = useCallback(
    (next: string | null) => {
      if (next === null) {
        localStorage.removeItem(key);
      } else {
        localStorage.setItem(key, next);
      }
      listeners.forEach((listener) => listener());
    },
    [key],
  );
  return [value, set];
}
