import { onlineManager, useQuery } from "@tanstack/react-query";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { tagRoutes } from "@red/contract/rounds/tag";
import { changeBy } from "#lib/api.ts";
import { queryOf } from "#lib/query.ts";
import { renderApp } from "#test/app.tsx";
import { refusal, serve, startServer } from "#test/server.ts";
import { useAct } from "./act.ts";

beforeEach(startServer);

const change = changeBy(tagRoutes.create, { body: { tag: "late", label: "Late" } });

/** Renders a list with a button that adds a row. The result counts how often the list was loaded. */
async function showList(options: Parameters<ReturnType<typeof useAct>["act"]>[1] = {}) {
  function List() {
    useQuery(queryOf(tagRoutes.list, {}));
    const { act } = useAct(tagRoutes.list);
    return (
      <button type="button" onClick={() => void act(change, options)}>
        add
      </button>
    );
  }
  const lists = serve(tagRoutes.list, { content: [], total: 0 });
  renderApp(<List />);
  await waitFor(() => expect(lists).toHaveLength(1));
  return lists;
}

const add = () => fireEvent.click(screen.getByRole("button", { name: "add" }));

it.each([
  ["the answer's message", {}, "success"],
  ["the text instead", { text: "one more" }, "one more"],
])("shows %s, closes, and loads the list again", async (_, options, words) => {
  serve(tagRoutes.create, null);
  const close = vi.fn<() => void>();
  const lists = await showList({ ...options, close });
  add();
  await screen.findByText(words);
  expect(close).toHaveBeenCalledOnce();
  await waitFor(() => expect(lists).toHaveLength(2));
});

it.each([
  ["approval_waits", 1],
  ["tag_taken", 0],
] as const)(
  "loads the list again after the refusal %s, and closes %i times",
  async (key, times) => {
    serve(tagRoutes.create, () => refusal(409, "no", null, key));
    const [close, done] = [vi.fn<() => void>(), vi.fn<() => void>()];
    const lists = await showList({ close, done });
    add();
    await waitFor(() => expect(lists).toHaveLength(2));
    expect(close).toHaveBeenCalledTimes(times);
    expect(done).not.toHaveBeenCalled();
  },
);

it("sends a change even while the server seems unreachable", async () => {
  const sent = serve(tagRoutes.create, null);
  await showList();
  onlineManager.setOnline(false);
  add();
  await waitFor(() => expect(sent).toHaveLength(1));
  onlineManager.setOnline(true);
});
