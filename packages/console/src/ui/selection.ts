/** Rows that the operator has ticked; kept while paging, gone with another query. */
import { useCallback, useMemo, useState } from "react";

export type Key = string | number;

/** What a table has to know of a selection, and does with it. */
export interface TableSelection<Row> {
  readonly has: (key: Key) => boolean;
  /** Takes over which of the rows that are shown are ticked; all others stay as they are. */
  readonly mark: (ticked: readonly Row[], unticked: readonly Row[]) => void;
}

/** A row as it was when it was ticked, and when that was, in ms of the browser's clock. */
export interface Ticked<Row> {
  readonly row: Row;
  readonly at: number;
}

export interface Selection<Row> extends TableSelection<Row> {
  /** As they were when they were ticked. */
  readonly ticked: readonly Ticked<Row>[];
  readonly size: number;
  /** Ticks exactly these. */
  readonly replace: (rows: readonly Row[]) => void;
  readonly clear: () => void;
}

interface Chosen<Row> {
  readonly scope: string;
  readonly rows: ReadonlyMap<Key, Ticked<Row>>;
}

interface SelectionOptions<Row> {
  /** Must be the same function at every call. */
  keyOf: (row: Row) => Key;
  /** Names the question that the rows answer: with another one nothing is ticked any more. */
  scope: string;
}

export function useSelection<Row>({ keyOf, scope }: SelectionOptions<Row>): Selection<Row> {
  const [chosen, setChosen] = useState<Chosen<Row>>({ scope, rows: new Map() });
  // Forgotten for good: whoever asks the first question again has not ticked anything for it.
  if (chosen.scope !== scope) {
    setChosen({ scope, rows: new Map() });
  }
  const { rows } = chosen;
  const mark = useCallback(
    (ticked: readonly Row[], unticked: readonly Row[]) => {
      setChosen((old) => {
        const next = new Map(old.scope === scope ? old.rows : []);
        const at = Date.now();
        ticked.forEach((row) => next.set(keyOf(row), { row, at }));
        unticked.forEach((row) => next.delete(keyOf(row)));
        return { scope, rows: next };
      });
    },
    [keyOf, scope],
  );
  const replace = useCallback(
    (all: readonly Row[]) => {
      const at = Date.now();
      const rows = new Map(all.map((row) => [keyOf(row), { row, at }] as const));
      // What is ticked by now may belong to another question.
      setChosen((old) => (old.scope === scope ? { scope, rows } : old));
    },
    [keyOf, scope],
  );
  const clear = useCallback(() => replace([]), [replace]);
  return useMemo(
    () => ({
      ticked: [...rows.values()],
      size: rows.size,
      has: (key: Key) => rows.has(key),
      mark,
      replace,
      clear,
    }),
    [rows, mark, replace, clear],
  );
}

/** Ticked rows as they are known best: as the page shows them where that came after they were ticked. */
export function asShown<Row>(
  ticked: readonly Ticked<Row>[],
  shown: { readonly rows: readonly Row[]; readonly since: number },
  keyOf: (row: Row) => Key,
): readonly Row[] {
  const fresh = new Map(shown.rows.map((row) => [keyOf(row), row]));
  return ticked.map(({ row, at }) => (shown.since > at ? (fresh.get(keyOf(row)) ?? row) : row));
}
