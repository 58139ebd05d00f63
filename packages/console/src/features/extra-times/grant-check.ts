/** Asks what a list would come to, before anything is granted (behaviour §3). */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { extraTimesRoutes } from "@red/contract/extra-times";
import { EXTRA_TIMES_PER_CALL_MAX } from "@red/contract/limits";
import type { Data } from "@red/contract/route";
import { call } from "#lib/api.ts";
import { useDebounced } from "#lib/debounced.ts";
import { accountsOf, listOf } from "./accounts.ts";

type Preview = Data<typeof extraTimesRoutes.preview>;

export interface GrantCheck {
  /** How many entries the list has, doubles and all. */
  readonly entries: number;
  /** How many of them name an expiry of their own. */
  readonly own: number;
  /** What a grant of what is entered now would do; undefined until the server has told. */
  readonly preview: Preview | undefined;
  /** Is the preview that of the group too? Before that nothing is granted. */
  readonly isComplete: boolean;
  /** Why the server does not tell. */
  readonly error: Error | null;
  readonly retry: () => void;
}

/**
 * Asked on its own whenever the list has come to rest, and when a group is chosen. What the list comes to does
 * not depend on the group: it stays while it is asked who had one of the new group.
 */
export function useGrantCheck(text: string, tag: string | undefined): GrantCheck {
  const settled = useDebounced(text);
  const lines = useMemo(() => accountsOf(text), [text]);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [extraTimesRoutes.preview.path, settled, tag],
    queryFn: async ({ signal }) => {
      const body = { ...listOf(accountsOf(settled)), tag };
      // What is wrong is told in the dialog.
      return await call(extraTimesRoutes.preview, { body }, { signal, background: true });
    },
    placeholderData: (last: Preview | undefined, of) =>
      last === undefined || of?.queryKey[1] !== settled
        ? undefined
        : { ...last, granted_before: null },
    enabled: settled === text && lines.length > 0 && lines.length <= EXTRA_TIMES_PER_CALL_MAX,
  });
  const isOfList = settled === text && lines.length > 0;
  const isCurrent = isOfList && !isFetching;
  return {
    entries: lines.length,
    own: lines.filter(({ expire_time }) => expire_time !== null).length,
    preview: isCurrent || (isOfList && isPlaceholderData) ? data : undefined,
    isComplete: isCurrent && data !== undefined,
    error: isCurrent ? error : null,
    retry: () => void refetch(),
  };
}
