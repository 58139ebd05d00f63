/** What the address of the prizes holds: the pool, the page, and the dialog that is open. */
import { searchOf } from "#lib/search.ts";

const DIALOGS = ["new", "edit", "stock", "import", "task"] as const;

export const PRIZE_SEARCH = searchOf(["pool", "page", "size", ...DIALOGS]);

export const NO_DIALOG = {
  new: undefined,
  edit: undefined,
  stock: undefined,
  import: undefined,
  task: undefined,
} satisfies Record<(typeof DIALOGS)[number], undefined>;

/** Does the address ask for a dialog? */
export function isDialogOpen(search: ReturnType<typeof PRIZE_SEARCH>): boolean {
  return DIALOGS.some((name) => search[name] !== undefined);
}

/**
 * Opens the tab of a pool. `late`: after an answer, if the address still says `pool` as it did; a correction,
 * not a step to go back over.
 */
export type OpenPool = (id: number | string, late?: { pool: string | undefined }) => void;
