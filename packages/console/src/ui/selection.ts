import { useCallback, useMemo, useState } from "react";

export type Key = string | number;

export interface TableSelection<Row> {
  readonly has: (key: Key) => boolean;
  /** Whether a row may be selected; all may if absent. */
  readonly mayTick?: (row: Row) => boolean;
  /** Updates the rows of this page; the selection of other pages stays. */
  readonly mark: (ticked: readonly Row[], unticked: readonly Row[]) => void;
}

/** A row as it was when selected, and the time in ms of the browser's clock. */
export interface Ticked<Row> {
  readonly row: Row;
  readonly at: number;
}

interface SelectionOptions<Row> {
  /** Must be the same function at every call. */
  keyOf: (row: Row) => Key;
  /** Identifies the query; another query clears the selection. */
  scope: string;
}

export type Selection<Row> = ReturnType<typeof useSelection<Row>>;

export function useSelection<Row>({ keyOf, scope }: SelectionOptions<Row>) {
  const nothing = { scope, rows: new Map<Key, Ticked<Row>>() };
  const [chosen, setChosen] = useState(nothing);
  // The first query is empty too when it comes back.
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
      // The query may have changed meanwhile.
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

/** Selected rows in their newest version: the page's version if it was loaded after the row was selected. */
export function asShown<Row>(
  ticked: readonly Ticked<Row>[],
  shown: { readonly rows: readonly Row[]; readonly since: number },
  keyOf: (row: Row) => Key,
): readonly Row[] {
  const fresh = new Map(shown.rows.map((row) => [keyOf(row), row]));
  return ticked.map(({ row, at }) => (shown.since > at ? (fresh.get(keyOf(row)) ?? row) : row));
}
