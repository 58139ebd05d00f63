import { useQuery } from "@tanstack/react-query";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { playerViewRoutes } from "@red/contract/chances/player-view";
import { recordRoutes } from "@red/contract/records/record";
import { listQueryOf, queryOf } from "#lib/query.ts";
import { renderApp } from "#test/app.tsx";
import { HEAD } from "#test/fixtures.ts";
import { serve } from "#test/server.ts";
import { usePlayerList } from "./use-player-list.ts";

function List() {
  const head = useQuery(queryOf(playerViewRoutes.head, { query: { user_name: HEAD.user_name } }));
  const { paging } = usePlayerList("", (of) => listQueryOf(recordRoutes.list, { query: of }));
  return (
    <button type="button" onClick={() => paging.onChange({ page: paging.page + 1, size: 20 })}>
      {head.isSuccess ? `第 ${paging.page} 页` : ""}
    </button>
  );
}

it("reloads the player's head with each further page", async () => {
  serve(recordRoutes.list, { content: [], total: 0, sums: [], states: [] });
  const calls = serve(playerViewRoutes.head, HEAD);
  renderApp(<List />);
  fireEvent.click(await screen.findByRole("button", { name: "第 1 页" }));
  await screen.findByRole("button", { name: "第 2 页" });
  await waitFor(() => expect(calls).toHaveLength(2));
});
