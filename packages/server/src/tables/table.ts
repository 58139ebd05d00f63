/** A table on its way into a file: columns with their labels, rows as they come. */

/** Text is never taken for a formula; a number is written as one, digit by digit as given. */
export type Cell =
  | { readonly text: string }
  | { readonly number: string | number }
  | { readonly empty: true };

export interface Table {
  /** Name of the sheet. */
  readonly title: string;
  readonly labels: readonly string[];
  readonly rows: AsyncIterable<readonly Cell[]>;
}

export const EMPTY: Cell = { empty: true };

export function textCell(text: string | null): Cell {
  return text === null ? EMPTY : { text };
}

export function numberCell(number: string | number | null): Cell {
  return number === null ? EMPTY : { number };
}
