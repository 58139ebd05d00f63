/** Renders the open page again and reloads its data, after `/redirect/…` (spec §2) or a change of roles. */
import { createStore } from "#lib/store.ts";

const times = createStore(0);

export function reloadPage(): void {
  times.set(times.get() + 1);
}

/** The number of reloads. As a `key` it renders its element again with each. */
export const useReloads = times.use;
