/** A table to be written: columns with labels, and rows. */

/** Text never becomes a formula; a number keeps its digits. */
export type Cell =
  | { readonly text: string }
  | { readonly number: string | number }
  | { readonly empty: true };

export interface Table {
  /** Name of the sheet. */
  readonly title: string;
  readonly labels: readonly string[];
  /** In pages: waiting for each of a million rows takes longer than writing it. */
  readonly pages: AsyncIterable<readonly (readonly Cell[])[]>;
}

export const EMPTY: Cell = { empty: true };

export function textCell(text: string | null): Cell {
  return text === null ? EMPTY : { text };
}

export function numberCell(number: string | number | null): Cell {
  return number === null ? EMPTY : { number };
}
