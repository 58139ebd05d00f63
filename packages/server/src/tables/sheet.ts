/** What the readers of formats hand on: the sheets of a file, cell by cell as text. */
import type { TextValues } from "@red/contract/errors";
import type { TextKey } from "@red/contract/texts-zh";

/** A fault in one place of a file. Rows count from 1; an empty column means the whole row. */
export interface ReadFault {
  readonly row: number;
  readonly column: string;
  readonly value: string;
  readonly key: TextKey;
  readonly values: TextValues;
}

/** One row that is not blank. */
export interface SheetRow {
  /** Where it stands in the file; the first is 1. */
  readonly row: number;
  /** Number of its cells, blank ones too. */
  readonly width: number;
  /** Texts by column, from 0, in their order: trimmed, without the empty ones; numbers plain where they can be. */
  readonly texts: ReadonlyMap<number, string>;
  /** Columns with the error of a formula instead of a value. */
  readonly errors: readonly number[];
}

export interface Sheet {
  /** Null for csv, which has no sheets. */
  readonly name: string | null;
  /**
   * The rows with anything in them, in their order. Empty places cost nothing: a few bytes can say that
   * a cell stands a billion places further on.
   */
  rows(): Iterable<SheetRow>;
  /** What was already wrong with the rows themselves. */
  readonly faults: readonly ReadFault[];
}

/** Longest text of a cell that a fault repeats. */
const SHOWN_CHARACTERS = 64;

/** A cell's text as a fault repeats it. */
export function shown(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS - 1)}…` : text;
}
