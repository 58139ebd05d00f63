/** What a list page needs to know of its query. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { QueryKey, UseQueryOptions } from "@tanstack/react-query";
import { useEffect, useState } from "react";

export interface ListState<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** When the rows came, in ms of the browser's clock; 0 before that. */
  readonly since: number;
  /** Nothing has come yet. */
  readonly pending: boolean;
  /** The rows shown are older than what was asked for. */
  readonly stale: boolean;
  readonly fetching: boolean;
  readonly failed: boolean;
  /** The operator did not want to wait for what was asked for. */
  readonly stopped: boolean;
  readonly retry: () => void;
  /** Stops waiting for the answer. */
  readonly cancel: () => void;
}

/** Rows that came whole with something else: nothing of them is waited for. */
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

interface List<Row> {
  readonly content: readonly Row[];
  readonly total: number;
}

/**
 * Runs a list's query. A failed list shows no rows and total 0 (spec §8), and so does one that is not
 * `enabled`: nothing was asked for.
 */
export function useList<Row, D extends List<Row>>(
  options: UseQueryOptions<D, Error, D, QueryKey> & { queryKey: QueryKey },
): ListState<D["content"][number]> & {
  readonly data: D | undefined;
  /** The rows that came last, also after a failure: what is open over one of them stays. */
  readonly lastRows: readonly D["content"][number][];
} {
  const query = useQuery(options);
  const client = useQueryClient();
  const asked = options.enabled !== false;
  const data = query.isError || !asked ? undefined : query.data;
  const settled = asked && !query.isFetching;
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

/** Whole seconds that something has been going on. */
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
