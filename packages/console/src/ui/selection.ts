/** Rows that the operator has ticked; kept while paging, gone with another query. */
import { useCallback, useMemo, useState } from "react";

export type Key = string | number;

export interface Selection<Row> {
  /** As they were when they were ticked. */
  readonly rows: readonly Row[];
  readonly keys: readonly Key[];
  readonly size: number;
  readonly has: (key: Key) => boolean;
  /** Takes over which of the rows that are shown are ticked; the others stay as they are. */
  readonly setPage: (pageRows: readonly Row[], isTicked: (row: Row) => boolean) => void;
  readonly clear: () => void;
}

/** `keyOf` must be the same function at every call. */
export function useSelection<Row>(keyOf: (row: Row) => Key): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<Key, Row>>(new Map());
  const setPage = useCallback(
    (pageRows: readonly Row[], isTicked: (row: Row) => boolean) => {
      setChosen((old) => {
        const next = new Map(old);
        for (const row of pageRows) {
          if (isTicked(row)) {
            next.set(keyOf(row), row);
          } else {
            next.delete(keyOf(row));
          }
        }
        return next;
      });
    },
    [keyOf],
  );
  const clear = useCallback(() => setChosen(new Map()), []);
  return useMemo(
    () => ({
      rows: [...chosen.values()],
      keys: [...chosen.keys()],
      size: chosen.size,
      has: (key: Key) => chosen.has(key),
      setPage,
      clear,
    }),
    [chosen, setPage, clear],
  );
}
