/** Caches server data: one query per route and input. Each call shows its own error. */
import type { Data, Input, Route } from "@red/contract/platform/route";
import {
  QueryClient,
  keepPreviousData,
  notifyManager,
  onlineManager,
  queryOptions,
} from "@tanstack/react-query";
import { call } from "./api.ts";
import type { CallOptions } from "./api.ts";
import { currentConnection, onConnection } from "./connection.ts";

// Delivers results in a microtask. The default timer runs only after the frames of an animation, such as an opening
// dialog.
notifyManager.setScheduler(queueMicrotask);

onlineManager.setEventListener((setOnline) =>
  onConnection(() => setOnline(currentConnection() === "up")),
);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // There are no automatic retries, because each failed retry would show a toast. The operator has a retry button.
      retry: false,
      refetchOnWindowFocus: false,
      // Calls even if the browser reports that it is offline. The failure then shows at once, and the call is repeated
      // when the server responds again.
      networkMode: "always",
      refetchOnReconnect: true,
      staleTime: 0,
    },
    mutations: { retry: false, networkMode: "always" },
  },
});

/** Returns the query of a route and input. The key `[route.path]` covers the queries of all inputs. */
export function queryOf<R extends Route>(
  route: R,
  input: Input<R>,
  options: Omit<CallOptions, "signal"> = {},
) {
  return queryOptions<Data<R>, Error, Data<R>, readonly unknown[]>({
    queryKey: [route.path, input],
    queryFn: ({ signal }) => call(route, input, { ...options, signal }),
  });
}

/** Like `queryOf`, but keeps the old rows until the next page is loaded. */
export function listQueryOf<R extends Route>(route: R, input: Input<R>) {
  return { ...queryOf(route, input), placeholderData: keepPreviousData };
}

export async function refresh(...routes: readonly Route[]): Promise<void> {
  await Promise.all(
    routes.map((route) => queryClient.invalidateQueries({ queryKey: [route.path] })),
  );
}
