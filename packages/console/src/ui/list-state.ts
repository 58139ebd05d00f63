import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { QueryKey, UseQueryOptions } from "@tanstack/react-query";
import { useEffect, useState } from "react";

export interface ListState<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** Time when the rows were loaded, in ms of the browser clock. It is 0 before the first load. */
  readonly since: number;
  readonly pending: boolean;
  /** True if the rows belong to an earlier query. */
  readonly stale: boolean;
  readonly fetching: boolean;
  readonly failed: boolean;
  readonly stopped: boolean;
  readonly retry: () => void;
  readonly cancel: () => void;
}

/** Returns the state of a list whose rows are already loaded. */
export function wholeList<Row>(rows: readonly Row[]): ListState<Row> {
  const nothing = () => undefined;
  return {
    rows,
    total: rows.length,
    since: 0,
    pending: false,
    stale: false,
    fetching: false,
    failed: false,
    stopped: false,
    retry: nothing,
    cancel: nothing,
  };
}

export interface List<Row> {
  readonly content: readonly Row[];
  readonly total: number;
}

/** Loads a list. If loading failed or the list is not `enabled`, it has no rows and its total is 0 (spec §8). */
export function useList<Row, D extends List<Row>, Answer = D>(
  options: UseQueryOptions<Answer, Error, D, QueryKey> & { queryKey: QueryKey },
): ListState<D["content"][number]> & {
  readonly data: D | undefined;
  /** Rows of the last successful load. They remain after a failure, so that a dialog for a row stays open. */
  readonly lastRows: readonly D["content"][number][];
} {
  const query = useQuery(options);
  const client = useQueryClient();
  const enabled = options.enabled !== false;
  const data = query.isError || !enabled ? undefined : query.data;
  const settled = enabled && !query.isFetching;
  return {
    data,
    rows: data?.content ?? [],
    lastRows: query.data?.content ?? [],
    total: data?.total ?? 0,
    since: query.dataUpdatedAt,
    pending: query.isFetching && data === undefined,
    stale: query.isPlaceholderData,
    fetching: query.isFetching,
    failed: settled && query.isError,
    stopped: settled && !query.isError && (data === undefined || query.isPlaceholderData),
    retry: () => void query.refetch(),
    cancel: () => void client.cancelQueries({ queryKey: options.queryKey, exact: true }),
  };
}

/** Counts whole seconds since `active` became true. */
export function useSeconds(active: boolean): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!active) {
      return;
    }
    const timer = setInterval(() => setSeconds((passed) => passed + 1), 1_000);
    return () => {
      clearInterval(timer);
      setSeconds(0);
    };
  }, [active]);
  return seconds;
}
