/** Server state: one query per route and input, failures shown once by the calls themselves. */
import type { Data, Input, Route } from "@red/contract/route";
import {
  QueryClient,
  keepPreviousData,
  notifyManager,
  onlineManager,
  queryOptions,
} from "@tanstack/react-query";
import { call } from "./api.ts";
import { currentConnection, onConnection } from "./connection.ts";

// An answer is rendered when it is there; by a timer, as otherwise, it would wait behind the frames of whatever
// moves just then, as a dialog that opens.
notifyManager.setScheduler(queueMicrotask);

onlineManager.setEventListener((setOnline) =>
  onConnection(() => setOnline(currentConnection() === "up")),
);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Each attempt would be one more toast, and the operator has a retry button.
      retry: false,
      refetchOnWindowFocus: false,
      // Asked whatever the browser thinks of the network, so that a failure shows at once; asked again
      // as soon as the server answers.
      networkMode: "always",
      refetchOnReconnect: true,
      staleTime: 0,
    },
    mutations: { retry: false },
  },
});

/** Query of a route; everything under `[route.path]` can be marked stale at once. */
export function queryOf<R extends Route>(route: R, input: Input<R>) {
  return queryOptions<Data<R>, Error, Data<R>, readonly unknown[]>({
    queryKey: [route.path, input],
    queryFn: ({ signal }) => call(route, input, { signal }),
  });
}

/** As `queryOf`, for a list: the rows shown stay until the next page has come. */
export function listQueryOf<R extends Route>(route: R, input: Input<R>) {
  return { ...queryOf(route, input), placeholderData: keepPreviousData };
}

/** Has every list that shows these routes ask again. */
export async function refresh(...routes: readonly Route[]): Promise<void> {
  await Promise.all(
    routes.map((route) => queryClient.invalidateQueries({ queryKey: [route.path] })),
  );
}
