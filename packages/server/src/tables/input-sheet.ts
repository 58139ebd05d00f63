/** What all readers return: sheets with cells as text. */
import type { TextValues } from "@red/contract/platform/errors";
import type { TextKey } from "@red/contract/platform/texts";

/** Rows count from 1; an empty column means the whole row. */
export interface ReadFault {
  readonly row: number;
  readonly column: string;
  readonly value: string;
  readonly key: TextKey;
  readonly values: TextValues;
}

export interface SheetRow {
  /** Counts from 1 in the file. */
  readonly row: number;
  /** Number of cells, blank ones too. */
  readonly width: number;
  /** Texts by column from 0, in order: trimmed, without empty ones; numbers plain where possible. */
  readonly texts: ReadonlyMap<number, string>;
  /** Columns with a formula's error instead of a value. */
  readonly errors: readonly number[];
}

export interface Sheet {
  /** Null for csv, which has no sheets. */
  readonly name: string | null;
  /** Rows that are not blank; missing cells cost no memory, as a few bytes can claim a billion columns. */
  rows(): Iterable<SheetRow>;
  /** Faults of the rows themselves. */
  readonly faults: readonly ReadFault[];
}

/** Longest cell text that a fault repeats. */
const SHOWN_CHARACTERS = 64;

export function shown(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS - 1)}…` : text;
}
