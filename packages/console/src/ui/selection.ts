/** Rows that the operator has ticked; kept while paging, gone with another query. */
import { useCallback, useMemo, useState } from "react";

export type Key = string | number;

/** What a table has to know of a selection, and does with it. */
export interface TableSelection<Row> {
  readonly has: (key: Key) => boolean;
  /** Takes over which of the rows that are shown are ticked; all others stay as they are. */
  readonly mark: (ticked: readonly Row[], unticked: readonly Row[]) => void;
}

export interface Selection<Row> extends TableSelection<Row> {
  /** As they were when they were ticked. */
  readonly rows: readonly Row[];
  readonly size: number;
  /** Ticks exactly these. */
  readonly replace: (rows: readonly Row[]) => void;
  readonly clear: () => void;
}

interface Chosen<Row> {
  readonly scope: string;
  readonly rows: ReadonlyMap<Key, Row>;
}

interface SelectionOptions<Row> {
  /** Must be the same function at every call. */
  keyOf: (row: Row) => Key;
  /** Names the question that the rows answer: with another one nothing is ticked. */
  scope: string;
}

export function useSelection<Row>({ keyOf, scope }: SelectionOptions<Row>): Selection<Row> {
  const [chosen, setChosen] = useState<Chosen<Row>>({ scope, rows: new Map() });
  const rows = useMemo(
    () => (chosen.scope === scope ? chosen.rows : new Map<Key, Row>()),
    [chosen, scope],
  );
  const mark = useCallback(
    (ticked: readonly Row[], unticked: readonly Row[]) => {
      setChosen((old) => {
        const next = new Map(old.scope === scope ? old.rows : []);
        ticked.forEach((row) => next.set(keyOf(row), row));
        unticked.forEach((row) => next.delete(keyOf(row)));
        return { scope, rows: next };
      });
    },
    [keyOf, scope],
  );
  const replace = useCallback(
    (all: readonly Row[]) =>
      setChosen({ scope, rows: new Map(all.map((row) => [keyOf(row), row])) }),
    [keyOf, scope],
  );
  const clear = useCallback(() => replace([]), [replace]);
  return useMemo(
    () => ({
      rows: [...rows.values()],
      size: rows.size,
      has: (key: Key) => rows.has(key),
      mark,
      replace,
      clear,
    }),
    [rows, mark, replace, clear],
  );
}

/** Ticked rows, those of the page that is open as they are shown there now. */
export function asShown<Row>(
  ticked: readonly Row[],
  shown: readonly Row[],
  keyOf: (row: Row) => Key,
): readonly Row[] {
  const fresh = new Map(shown.map((row) => [keyOf(row), row]));
  return ticked.map((row) => fresh.get(keyOf(row)) ?? row);
}
