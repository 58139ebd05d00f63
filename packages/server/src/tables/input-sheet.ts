/** Types that all readers return: sheets with cells as text. */
import type { TextValues } from "@red/contract/platform/errors";
import type { TextKey } from "@red/contract/platform/texts";

/** Rows are numbered from 1. An empty column means the whole row. */
export interface ReadFault {
  readonly row: number;
  readonly column: string;
  readonly value: string;
  readonly key: TextKey;
  readonly values: TextValues;
}

export interface SheetRow {
  /** Row number in the file, from 1. */
  readonly row: number;
  /** Number of cells, including blank cells. */
  readonly width: number;
  /** Trimmed texts by column number from 0, in order, without empty texts. Numbers are plain digits where possible. */
  readonly texts: ReadonlyMap<number, string>;
  /** Columns whose formula has an error instead of a value. */
  readonly errors: readonly number[];
}

export interface Sheet {
  /** Null for csv, which has no sheets. */
  readonly name: string | null;
  /**
   * Yields the rows that are not blank. Missing cells use no memory, because a few bytes can claim a billion columns.
   */
  rows(): Iterable<SheetRow>;
  /** Faults of whole rows, not of single cells. */
  readonly faults: readonly ReadFault[];
}

/** Maximum length of a cell text in a fault. */
const SHOWN_CHARACTERS = 64;

export function shown(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS - 1)}…` : text;
}
