/** Asks what a list would come to, before anything is granted (behaviour §3). */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { extraTimesRoutes } from "@red/contract/extra-times";
import { EXTRA_TIMES_PER_CALL_MAX } from "@red/contract/limits";
import type { Data } from "@red/contract/route";
import { call } from "#lib/api.ts";
import { useDebounced } from "#lib/debounced.ts";
import { accountsOf, listOf } from "./accounts.ts";

export interface GrantCheck {
  /** How many entries the list has, doubles and all. */
  readonly entries: number;
  /** How many of them name an expiry of their own. */
  readonly own: number;
  /** What a grant of what is entered now would do; undefined until the server has told. */
  readonly preview: Data<typeof extraTimesRoutes.preview> | undefined;
  /** Why the server does not tell. */
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Asked on its own whenever the list has come to rest. */
export function useGrantCheck(text: string): GrantCheck {
  const settled = useDebounced(text);
  const lines = useMemo(() => accountsOf(text), [text]);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [extraTimesRoutes.preview.path, settled],
    queryFn: async ({ signal }) => {
      const body = listOf(accountsOf(settled));
      // What is wrong is told in the dialog.
      return await call(extraTimesRoutes.preview, { body }, { signal, background: true });
    },
    enabled: settled === text && lines.length > 0 && lines.length <= EXTRA_TIMES_PER_CALL_MAX,
  });
  const isCurrent = settled === text && !isFetching && lines.length > 0;
  return {
    entries: lines.length,
    own: lines.filter(({ expire_time }) => expire_time !== null).length,
    preview: isCurrent ? data : undefined,
    error: isCurrent ? error : null,
    retry: () => void refetch(),
  };
}
