import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { findRoutes } from "@red/contract/records/find";
import type { Data } from "@red/contract/platform/route";
import { renderApp } from "#test/app.tsx";
import { held, serve, signIn } from "#test/server.ts";
import { Finder } from "./finder.tsx";
import { findFor } from "./finds.ts";

const NOTHING = {
  players: [],
  records: [],
  orders: [],
  rounds: [],
  pools: [],
  prizes: [],
  more: false,
};

function type(text: string): HTMLInputElement {
  const field = screen.getByRole<HTMLInputElement>("combobox", { name: "查找" });
  fireEvent.change(field, { target: { value: text } });
  return field;
}

beforeAll(() => signIn("player.read", "pool.write"));

it("opens no player when the text has changed before the answer", async () => {
  const answer = held<Data<typeof findRoutes.find>>();
  const asked = serve(findRoutes.find, () => answer.promise);
  renderApp(<Finder isMobile={false} />);
  const field = type("find-anna");
  fireEvent.keyDown(field, { key: "Enter" });
  await waitFor(() => expect(asked.length).toBeGreaterThan(0));
  type("find-annabelle");
  const anna = { user_name: "find-anna", player_id: "find-1", blocked: false };
  await act(async () => answer.resolve({ ...NOTHING, players: [anna] }));
  expect(field.value).toBe("find-annabelle");
  expect(window.location.search).not.toContain("player=");
});

it("opens a player with a masked account under the account that was typed", async () => {
  const players = [{ user_name: "f***a", player_id: "f***1", blocked: false }];
  serve(findRoutes.find, () => ({ ...NOTHING, players }));
  renderApp(<Finder isMobile={false} />);
  fireEvent.keyDown(type("find-anna"), { key: "Enter" });
  await waitFor(() => expect(window.location.search).toContain("player=find-anna"));
});

it("lists finds under headings, and acts only with their permission", async () => {
  serve(findRoutes.find, () => ({ ...NOTHING, pools: [{ id: 7, pool_name: "新增奖池" }] }));
  renderApp(<Finder isMobile={false} />);
  type("新增");
  expect(await screen.findByText("新增奖池")).toBeDefined();
  expect(screen.getByText("奖池")).toBeDefined();
  expect(screen.getByText("新增奖品")).toBeDefined();
  expect(screen.queryByText("新增活动")).toBeNull();
  // The finder also finds an act by its search words, not only by its title.
  type("create");
  expect(await screen.findByText("新建奖池")).toBeDefined();
});

it("opens at once the only exact find, or else the only find", () => {
  const find = (name: string, isExact: boolean) =>
    ({ group: "find_pages", key: name, name, note: "", isExact, open: () => undefined }) as const;
  const [pool, record, part] = [find("100", true), find("100", true), find("1001", false)];
  expect(findFor([part, record])).toBe(record);
  expect(findFor([part])).toBe(part);
  expect(findFor([pool, record])).toBeNull();
  expect(findFor([part, find("1002", false)])).toBeNull();
  expect(findFor([])).toBeNull();
});
