import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import {
  act,
  cleanup,
  configure,
  fireEvent,
  render,
  screen,
  waitFor,
} from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { playerViewRoutes } from "@red/contract/player-view";
import { recordRoutes } from "@red/contract/record";
import { listQueryOf, queryClient, queryOf, refresh } from "#lib/query.ts";
import { useHeadAsFresh } from "./head-as-fresh.ts";

// On a machine that may be busy.
configure({ asyncUtilTimeout: 10_000 });

const NAME = "player01";

const HEAD = {
  player_id: "p-1",
  user_name: NAME,
  blocked: false,
  blocked_since: null,
  left_times: 0,
  draws: 0,
  rounds: [],
  payouts: [],
  payouts_stopped_since: null,
};

/** The calls of each kind, in order. */
let calls: string[];
/** Ends the calls for rows that are under way; until then they wait. */
let rows: Promise<void>;

beforeEach(() => {
  calls = [];
  rows = Promise.resolve();
  vi.stubGlobal("fetch", async (url: string) => {
    const isHead = url.includes(playerViewRoutes.head.path);
    const isRows = url.includes(recordRoutes.list.path);
    calls.push(isHead ? "head" : isRows ? "rows" : "other");
    if (isRows) {
      await rows;
    }
    const data = isHead ? HEAD : { content: [], total: 0, sums: [] };
    return Response.json({ code: 200, msg: "success", data });
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.useRealTimers();
});

function count(kind: string): number {
  return calls.filter((one) => one === kind).length;
}

function Rows({ user_name }: { user_name: string }) {
  const [page, setPage] = useState(1);
  useQuery(listQueryOf(recordRoutes.list, { query: { user_name, page, size: 20 } }));
  return (
    <button type="button" onClick={() => setPage(page + 1)}>
      下一页
    </button>
  );
}

function Tabs() {
  useHeadAsFresh(NAME);
  return <Rows user_name={NAME} />;
}

function Drawer() {
  const head = useQuery(queryOf(playerViewRoutes.head, { query: { user_name: NAME } }));
  return head.data === undefined ? null : <Tabs />;
}

async function open() {
  render(
    <QueryClientProvider client={queryClient}>
      <Drawer />
      <Rows user_name="player02" />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(screen.getAllByRole("button")).toHaveLength(2));
  await settled();
}

async function settled() {
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
}

it("asks for the head once while the drawer opens", async () => {
  await open();
  expect([count("head"), count("rows")]).toEqual([1, 2]);
});

it("asks for the head anew with each page of the player's rows, not with those of others", async () => {
  await open();
  const [own, other] = screen.getAllByRole("button");
  expect(own && other).toBeTruthy();
  fireEvent.click(own ?? document.body);
  await waitFor(() => expect(count("head")).toBe(2));
  await settled();
  fireEvent.click(other ?? document.body);
  await waitFor(() => expect(count("rows")).toBe(4));
  await settled();
  expect(count("head")).toBe(2);
});

it("has one call for the head where an act has both asked again", async () => {
  await open();
  await act(() => refresh(recordRoutes.list, playerViewRoutes.head));
  await settled();
  // The rows of both lists.
  expect([count("head"), count("rows")]).toEqual([2, 4]);
});

it("asks once more for the head that rows have overtaken", async () => {
  await open();
  let end = () => undefined as void;
  rows = new Promise((resolve) => {
    end = resolve;
  });
  fireEvent.click(screen.getAllByRole("button")[0] ?? document.body);
  await waitFor(() => expect(count("head")).toBe(2));
  // The head is there; the rows are still to come.
  await waitFor(() => expect(queryClient.isFetching()).toBe(1));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5_000 });
  end();
  await waitFor(() => expect(count("head")).toBe(3));
  await settled();
  expect(count("head")).toBe(3);
});
