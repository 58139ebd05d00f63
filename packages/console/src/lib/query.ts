/** Server state: one query per route and input. Each call shows its own failure. */
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

// Deliver answers in a microtask: the default timer waits behind the frames of an animation, such as an opening dialog.
notifyManager.setScheduler(queueMicrotask);

onlineManager.setEventListener((setOnline) =>
  onConnection(() => setOnline(currentConnection() === "up")),
);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Each retry would show another toast; the operator has a retry button.
      retry: false,
      refetchOnWindowFocus: false,
      // Call even if the browser believes that it is offline: the failure shows at once, and the call is repeated when
      // the server answers again.
      networkMode: "always",
      refetchOnReconnect: true,
      staleTime: 0,
    },
    mutations: { retry: false, networkMode: "always" },
  },
});

/** The query of a route and input; `[route.path]` is the key of all inputs. */
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

/** As `queryOf`, but keeps the old rows until the next page has loaded. */
export function listQueryOf<R extends Route>(route: R, input: Input<R>) {
  return { ...queryOf(route, input), placeholderData: keepPreviousData };
}

export async function refresh(...routes: readonly Route[]): Promise<void> {
  await Promise.all(
    routes.map((route) => queryClient.invalidateQueries({ queryKey: [route.path] })),
  );
}
