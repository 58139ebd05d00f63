/**
 * A text, which never becomes a formula; a number, which keeps its digits; or an empty cell. Most cells are texts, so a
 * text needs no object.
 */
export type Cell = string | { readonly number: string | number } | null;

export interface Table {
  readonly title: string;
  readonly labels: readonly string[];
  /** The rows in pages, because waiting for each of a million rows takes longer than writing the rows. */
  readonly pages: AsyncIterable<readonly (readonly Cell[])[]>;
}

export const EMPTY: Cell = null;

export const textCell = (text: string | null): Cell => text;

export function numberCell(number: string | number | null): Cell {
  return number === null ? EMPTY : { number };
}
