import { useCallback, useMemo, useState } from "react";

export type Key = string | number;

export interface TableSelection<Row> {
  readonly has: (key: Key) => boolean;
  /** Returns whether a row may be selected. If absent, every row may be selected. */
  readonly mayTick?: (row: Row) => boolean;
  /** Updates the selection of the rows on this page. The selection on other pages does not change. */
  readonly mark: (ticked: readonly Row[], unticked: readonly Row[]) => void;
}

/** A selected row as it was at that time. `at` is the time of selection in ms of the browser clock. */
export interface Ticked<Row> {
  readonly row: Row;
  readonly at: number;
}

interface SelectionOptions<Row> {
  /** The caller must pass the same function in every render. */
  keyOf: (row: Row) => Key;
  /** Identifies the query. A new query clears the selection. */
  scope: string;
}

export type Selection<Row> = ReturnType<typeof useSelection<Row>>;

export function useSelection<Row>({ keyOf, scope }: SelectionOptions<Row>) {
  const nothing = { scope, rows: new Map<Key, Ticked<Row>>() };
  const [chosen, setChosen] = useState(nothing);
  // Clears the selection when the query changes. It stays empty when the first query returns.
  if (chosen.scope !== scope) {
    setChosen(nothing);
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
      // The query may have changed in the meantime.
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

/**
 * Returns the newest version of the selected rows. A row comes from the page if the page was loaded after the row was
 * selected.
 */
export function asShown<Row>(
  ticked: readonly Ticked<Row>[],
  shown: { readonly rows: readonly Row[]; readonly since: number },
  keyOf: (row: Row) => Key,
): readonly Row[] {
  const fresh = new Map(shown.rows.map((row) => [keyOf(row), row]));
  return ticked.map(({ row, at }) => (shown.since > at ? (fresh.get(keyOf(row)) ?? row) : row));
}
