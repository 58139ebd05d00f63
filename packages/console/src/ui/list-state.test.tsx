import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it } from "vitest";
import { useList } from "./list-state.ts";

const FOUND = { content: [{ id: 1 }], total: 1 };

function within(client = new QueryClient({ defaultOptions: { queries: { retry: false } } })) {
  return ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
}

it("shows no rows after a failure, but keeps the rows loaded last", async () => {
  let isDown = false;
  const queryFn = () => (isDown ? Promise.reject(new Error("down")) : Promise.resolve(FOUND));
  const { result } = renderHook(() => useList({ queryKey: ["list"], queryFn }), {
    wrapper: within(),
  });
  await waitFor(() => expect(result.current.rows).toEqual(FOUND.content));
  isDown = true;
  act(() => result.current.retry());
  await waitFor(() => expect(result.current.failed).toBe(true));
  expect([result.current.rows, result.current.total]).toEqual([[], 0]);
  expect(result.current.lastRows).toEqual(FOUND.content);
});

it("cancels only its own call", async () => {
  const ask = (query: object) => ({
    queryKey: ["list", { query }],
    // This promise ends only when it is cancelled.
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      new Promise<typeof FOUND>((_, reject) => {
        signal.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
      }),
  });
  const { result } = renderHook(
    () => ({ all: useList(ask({ page: 1 })), one: useList(ask({ page: 1, name: "a" })) }),
    { wrapper: within() },
  );
  act(() => result.current.all.cancel());
  await waitFor(() => expect(result.current.all.stopped).toBe(true));
  expect(result.current.one.fetching).toBe(true);
});
