/** Rebuilds the open page and loads its data again: after `/redirect/…` (spec §2), or another role. */
import { createStore } from "#lib/store.ts";

const times = createStore(0);

export function startAfresh(): void {
  times.set(times.get() + 1);
}

/** Changes with each `startAfresh`: the `key` of what is rebuilt. */
export const useTimesAfresh = times.use;
