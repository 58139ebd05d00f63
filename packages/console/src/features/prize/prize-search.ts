/** What the address of the prizes holds: the pool, the page, and the dialog that is open. */

export type PrizeField = "pool" | "page" | "size" | "new" | "edit" | "stock" | "import" | "task";

export const NO_DIALOG = {
  new: undefined,
  edit: undefined,
  stock: undefined,
  import: undefined,
  task: undefined,
};

/** Does the address ask for a dialog? */
export function isDialogOpen(search: Partial<Record<PrizeField, string>>): boolean {
  const { new: added, edit, stock, import: file, task } = search;
  return [added, edit, stock, file, task].some((asked) => asked !== undefined);
}

/**
 * Opens the tab of a pool. `late`: after an answer, if the address still says `pool` as it did; a correction,
 * not a step to go back over.
 */
export type OpenPool = (id: number | string, late?: { pool: string | undefined }) => void;
