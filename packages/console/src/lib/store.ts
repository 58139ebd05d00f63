import { useSyncExternalStore } from "react";

/** Announces changes of a value that React does not hold; `subscribe` fits `useSyncExternalStore`. */
export function changes() {
  const listeners = new Set<() => void>();
  return {
    /** Returns the function that unsubscribes. */
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    announce: () => listeners.forEach((listener) => listener()),
  };
}

/** A value outside React: components that `use` it render again when it is `set`. */
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
