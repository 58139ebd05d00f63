/** Server state: one query per route and input. Calls themselves show their failures. */
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

// Deliver answers in a microtask: the default timer would wait behind the frames of an animation, such as a
// dialog opening.
notifyManager.setScheduler(queueMicrotask);

onlineManager.setEventListener((setOnline) =>
  onConnection(() => setOnline(currentConnection() === "up")),
);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Each retry would add a toast; the operator has a retry button.
      retry: false,
      refetchOnWindowFocus: false,
      // Call whatever the browser thinks of the network, so that a failure shows at once; calls repeat when
      // the server answers again.
      networkMode: "always",
      refetchOnReconnect: true,
      staleTime: 0,
    },
    mutations: { retry: false, networkMode: "always" },
  },
});

/** Query of a route; `[route.path]` invalidates all of its inputs. */
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

/** As `queryOf`, for a list: shows the old rows until the next page has loaded. */
export function listQueryOf<R extends Route>(route: R, input: Input<R>) {
  return { ...queryOf(route, input), placeholderData: keepPreviousData };
}

export async function refresh(...routes: readonly Route[]): Promise<void> {
  await Promise.all(
    routes.map((route) => queryClient.invalidateQueries({ queryKey: [route.path] })),
  );
}
