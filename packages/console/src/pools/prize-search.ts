import { searchOf } from "#lib/search.ts";

const DIALOGS = ["new", "edit", "stock", "import", "task", "grid"] as const;

export const PRIZE_SEARCH = searchOf(["pool", "page", "size", ...DIALOGS]);

export const NO_DIALOG = {
  new: undefined,
  edit: undefined,
  stock: undefined,
  import: undefined,
  task: undefined,
  grid: undefined,
} satisfies Record<(typeof DIALOGS)[number], undefined>;

export function isDialogOpen(search: ReturnType<typeof PRIZE_SEARCH>): boolean {
  return DIALOGS.some((name) => search[name] !== undefined);
}

/**
 * Opens the tab of a pool. With `late`, the tab opens only if the address still has this `pool`, and the browser
 * history gets no new entry.
 */
export type OpenPool = (id: number | string, late?: { pool: string | undefined }) => void;
