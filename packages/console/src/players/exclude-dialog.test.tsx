import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { saveDraft } from "#forms/draft.ts";
import { ExcludeDialog } from "./exclude-dialog.tsx";
import { exclusionRoutes } from "@red/contract/players/exclusion";
import type { ExclusionRow } from "@red/contract/players/exclusion";
import { renderApp } from "#test/app.tsx";
import { serve, signIn } from "#test/server.ts";

beforeAll(() => signIn("player.read", "player.exclude"));

const OUTCOME = { excluded: 1, kinds: [], endless: 0, held: 0, first: [] };
const NOBODY = { unknown: [], doubled: [], already: [] };

/** Submits the dialog for one account. Collects the requests for the preview and for the exclusion. */
async function exclude(user_name: string, values: object, first: readonly ExclusionRow[] = []) {
  const previewed = serve(exclusionRoutes.preview, { ...OUTCOME, ...NOBODY, first: [...first] });
  const sent = serve(exclusionRoutes.create, { ...OUTCOME, ...NOBODY });
  saveDraft(`exclusion:new:${user_name}`, { reason: "本人", ...values });
  renderApp(<ExcludeDialog user_name={user_name} onClose={() => {}} />);
  fireEvent.click(await screen.findByRole("button", { name: "排除" }));
  return { previewed, sent };
}

it.each(["Li Wei", "a,b;c", "李、伟", "x，y；z", "anna 2026-12-31", '"q" b'])(
  "excludes the player %s and no other",
  async (user_name) => {
    const { previewed, sent } = await exclude(user_name, { kind: "risk", term: "endless" });
    const row = { user_name, kind: "risk", until: null };
    await waitFor(() => expect(sent).toMatchObject([{ body: { rows: [row] } }]));
    await waitFor(() => expect(previewed).toMatchObject([{ body: { rows: [row] } }]));
  },
);

it("leaves the end of a term to the server's clock, and shows it", async () => {
  const until = "2026-11-21 20:00:00";
  const first = [{ user_name: "anna", kind: "self", reason: "-", until } as const];
  const { sent } = await exclude("anna", { kind: "self", term: "day" }, first);
  const row = { user_name: "anna", kind: "self", until: null, hours: 24 };
  await waitFor(() => expect(sent).toMatchObject([{ body: { rows: [row] } }]));
  expect(await screen.findByText(/到 2026-11-21 20:00:00/)).toBeTruthy();
});

it("refuses a cooling-off without end", async () => {
  const { sent } = await exclude("anna", { kind: "cooling_off", term: "endless" });
  expect(await screen.findByText("冷静期要有截止时间")).toBeTruthy();
  expect(sent).toEqual([]);
});
