import { fireEvent, screen } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { saveDraft } from "#forms/draft.ts";
import { ExcludeDialog } from "./exclude-dialog.tsx";
import { exclusionRoutes } from "@red/contract/exclusion";
import { renderApp } from "#test/app.tsx";
import { serve, signIn } from "#test/server.ts";

beforeAll(() => signIn("player.read", "player.exclude"));

it("refuses a cooling-off without end", async () => {
  const previewed = { excluded: 1, kinds: [], endless: 0, held: 0, first: [] };
  const nobody = { unknown: [], doubled: [], already: [] };
  serve(exclusionRoutes.preview, { ...previewed, ...nobody });
  const sent = serve(exclusionRoutes.create, { ...previewed, ...nobody });
  const values = { user_names: "anna", kind: "cooling_off", term: "endless", reason: "本人" };
  saveDraft("exclusion:new:anna", values);
  renderApp(<ExcludeDialog user_name="anna" onClose={() => {}} />);
  fireEvent.click(await screen.findByRole("button", { name: "排除" }));
  expect(await screen.findByText("冷静期要有截止时间")).toBeTruthy();
  expect(sent).toEqual([]);
});
