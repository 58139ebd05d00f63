import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { playerViewRoutes } from "@red/contract/player-view";
import type { Data } from "@red/contract/route";
import { renderApp } from "#test/app.tsx";
import { held, serve, signIn } from "#test/server.ts";
import { PlayerSearch } from "./player-search.tsx";

it("opens nobody who is not meant any more when the answer comes", async () => {
  await signIn("player.read");
  const answer = held<Data<typeof playerViewRoutes.search>>();
  const asked = serve(playerViewRoutes.search, () => answer.promise);
  renderApp(<PlayerSearch isMobile={false} />);
  const field = screen.getByRole<HTMLInputElement>("combobox", { name: "查找玩家" });
  fireEvent.change(field, { target: { value: "find-anna" } });
  fireEvent.keyDown(field, { key: "Enter" });
  await waitFor(() => expect(asked.length).toBeGreaterThan(0));
  fireEvent.change(field, { target: { value: "find-annabelle" } });
  const anna = { user_name: "find-anna", player_id: "find-1", blocked: false };
  await act(async () => answer.resolve({ content: [anna], more: false }));
  expect(field.value).toBe("find-annabelle");
  expect(window.location.search).not.toContain("player=");
});
