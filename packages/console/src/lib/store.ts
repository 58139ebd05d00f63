import { useSyncExternalStore } from "react";

/** Announces changes of a value outside React. `subscribe` fits `useSyncExternalStore`. */
export function changes() {
  const listeners = new Set<() => void>();
  return {
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    announce: () => listeners.forEach((listener) => listener()),
  };
}

/** Stores a value outside React. A component that calls `use` renders again after `set`. */
export function createStore<T>(first: T) {
  let value = first;
  const { subscribe, announce } = changes();
  const get = () => value;
  return {
    get,
    set: (next: T) => {
      value = next;
      announce();
    },
    subscribe,
    use: () => useSyncExternalStore(subscribe, get),
  };
}
