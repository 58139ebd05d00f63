/** Renders the open page again and reloads its data, after `/redirect/…` (spec §2) or after a change of roles. */
import { createStore } from "#lib/store.ts";

const times = createStore(0);

export function reloadPage(): void {
  times.set(times.get() + 1);
}

/** Returns the number of reloads. An element with this number as `key` renders again after each reload. */
export const useReloads = times.use;
