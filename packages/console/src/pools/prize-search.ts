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

/** Opens a pool's tab. `late`: after an answer, if the address still has this `pool`; adds no step to the history. */
export type OpenPool = (id: number | string, late?: { pool: string | undefined }) => void;
