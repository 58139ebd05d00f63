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

export interface Sheet {
  /** Null for csv, which has no sheets. */
  readonly name: string | null;
  readonly rowCount: number;
  /** Number of cells of a row, both from 0; beyond it every cell is empty. */
  width(row: number): number;
  /** Text of a cell, trimmed; empty when there is none. Numbers are plain decimals where they can be. */
  text(row: number, column: number): string;
  /** Does the cell hold the error of a formula instead of a value? */
  isError(row: number, column: number): boolean;
  /** What was already wrong with the rows themselves. */
  readonly faults: readonly ReadFault[];
}

/** Longest text of a cell that a fault repeats. */
const SHOWN_CHARACTERS = 64;

/** A cell's text as a fault repeats it. */
export function shown(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS - 1)}…` : text;
}
