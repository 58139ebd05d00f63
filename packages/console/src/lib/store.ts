/** Announces changes of what React does not hold, in the form that `useSyncExternalStore` takes. */
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
