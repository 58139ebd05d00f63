/** What a list page needs to know of its query. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { QueryKey, UseQueryOptions } from "@tanstack/react-query";
import { useEffect, useState } from "react";

export interface ListState<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** Nothing has come yet. */
  readonly pending: boolean;
  /** The rows shown are older than what was asked for. */
  readonly stale: boolean;
  readonly fetching: boolean;
  readonly failed: boolean;
  readonly retry: () => void;
  /** Stops waiting for the answer. */
  readonly cancel: () => void;
}

interface List<Row> {
  readonly content: readonly Row[];
  readonly total: number;
}

/**
 * Runs a list's query. A failed list shows no rows and total 0 (spec §8); one whose first load was
 * cancelled counts as failed, so that it offers to try again.
 */
export function useList<Row, D extends List<Row>>(
  options: UseQueryOptions<D, Error, D, QueryKey> & { queryKey: QueryKey },
): ListState<D["content"][number]> & { readonly data: D | undefined } {
  const query = useQuery(options);
  const client = useQueryClient();
  const data = query.isError ? undefined : query.data;
  return {
    data,
    rows: data?.content ?? [],
    total: data?.total ?? 0,
    pending: query.isFetching && data === undefined,
    stale: query.isPlaceholderData,
    fetching: query.isFetching,
    failed: !query.isFetching && data === undefined,
    retry: () => void query.refetch(),
    cancel: () => void client.cancelQueries({ queryKey: options.queryKey }),
  };
}

const SLOW_MS = 10_000;

/** True once something has been going on for ten seconds. */
export function useSlow(active: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!active) {
      return;
    }
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [active]);
  return slow;
}
