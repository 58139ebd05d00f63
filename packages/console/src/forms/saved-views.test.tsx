import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { savedViewRoutes } from "@red/contract/identity/saved-view";
import { renderApp } from "#test/app.tsx";
import { serve, signIn } from "#test/server.ts";
import { SavedViews } from "./saved-views.tsx";

it("opens a view, and saves the searched filters under a name", async () => {
  await signIn("record.read");
  const refused = { id: 1, view_name: "被拒", search: "?award_status=2" };
  serve(savedViewRoutes.list, { content: [refused], total: 1 });
  const saved = serve(savedViewRoutes.save, null);
  const onChoose = vi.fn<(search: string) => void>();
  renderApp(<SavedViews page="record" filter={{ user_name: "anna" }} onChoose={onChoose} />);
  const open = async (entry: string) => {
    fireEvent.click(screen.getByRole("button", { name: "视图" }));
    fireEvent.click(await screen.findByRole("menuitem", { name: entry }));
  };
  await open("被拒");
  expect(onChoose).toHaveBeenCalledWith("?award_status=2");
  await open("把当前条件存为视图");
  const name = await screen.findByRole("textbox", { name: "视图名称" });
  fireEvent.change(name, { target: { value: " 安娜 " } });
  fireEvent.click(screen.getByRole("button", { name: "保存" }));
  await waitFor(() =>
    expect(saved.map(({ body }) => body)).toEqual([
      { page: "record", view_name: "安娜", search: "?user_name=anna" },
    ]),
  );
});
