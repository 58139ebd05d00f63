/** A table to be written: columns with labels, and rows. */

/** A text, which never becomes a formula; a number, which keeps its digits; or nothing. Texts are most: no object each. */
export type Cell = string | { readonly number: string | number } | null;

export interface Table {
  /** Name of the sheet. */
  readonly title: string;
  readonly labels: readonly string[];
  /** In pages: waiting for each of a million rows takes longer than writing it. */
  readonly pages: AsyncIterable<readonly (readonly Cell[])[]>;
}

export const EMPTY: Cell = null;

export const textCell = (text: string | null): Cell => text;

export function numberCell(number: string | number | null): Cell {
  return number === null ? EMPTY : { number };
}
