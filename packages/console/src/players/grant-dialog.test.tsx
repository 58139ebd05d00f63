import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { saveDraft } from "#forms/draft.ts";
import { GrantDialog } from "./grant-dialog.tsx";
import { activityRoutes } from "@red/contract/rounds/activity";
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import { renderApp } from "#test/app.tsx";
import { held, serve, signIn } from "#test/server.ts";
import type { Sent } from "#test/server.ts";

const DRAFT = "extra_times:grant";
const TAGS = { weekend: "周末红包", dragon: "龙舟红包" };
const PREVIEW = {
  granted: 2,
  unknown: ["ghost"],
  doubled: [],
  expired: [],
  blocked: ["carl"],
  excluded: ["dora"],
  plan: "the plan",
};

let previews: readonly Sent[] = [];
/** Delays the preview of one group. */
let heldPreview = held();

function tagOf({ body }: Sent): unknown {
  return typeof body === "object" && body !== null && "tag" in body ? body.tag : undefined;
}

beforeAll(async () => {
  await signIn("player.read", "player.grant");
  serve(activityRoutes.tags, { tags: TAGS });
});

beforeEach(() => {
  heldPreview = held();
  previews = serve(extraTimesRoutes.preview, async (sent) => {
    const tag = tagOf(sent);
    await (tag === "dragon" ? heldPreview.promise : null);
    const row = { created_at: "2026-11-21 10:00:00", granted_by: "colleague" };
    return {
      ...PREVIEW,
      granted_before: tag === "weekend" ? { user_names: ["anna"], ...row } : null,
    };
  });
});

function show(tag: string | undefined): void {
  saveDraft(DRAFT, { user_names: "anna\nben\nghost", tag });
  renderApp(<GrantDialog onClose={() => {}} />);
}

async function findSubmit(name = "给 2 个账号添加 2 次") {
  return await screen.findByRole<HTMLButtonElement>("button", { name });
}

it("reloads for another group, keeps the counts, and blocks the grant until then", async () => {
  show("weekend");
  // The time is in a separate element of the sentence.
  expect((await screen.findByText(/24 小时内已加过/u)).textContent).toContain(
    "最近一次由 colleague 于 2026-11-21 10:00:00 添加。",
  );
  fireEvent.mouseDown(screen.getByRole("combobox", { name: "次数组别" }));
  fireEvent.click(await screen.findByTitle(TAGS.dragon));
  await waitFor(() => expect(previews.map(tagOf).at(-1)).toBe("dragon"));
  expect(screen.queryByText(/24 小时内/)).toBeNull();
  expect(screen.getByText("名单共 3 项，2 个账号各增加 1 次")).toBeTruthy();
  expect(screen.getByLabelText<HTMLTextAreaElement>("没有这些账号，跳过（1）").value).toBe("ghost");
  expect((await findSubmit("正在核对…")).disabled).toBe(true);
  heldPreview.resolve();
  expect((await findSubmit()).disabled).toBe(false);
  expect(screen.queryByText(/24 小时内/)).toBeNull();
});

it("adds a file to the pasted list, and lets another file replace it", async () => {
  show(undefined);
  const list = await screen.findByLabelText<HTMLTextAreaElement>(/每行一个/);
  const choose = async (lines: readonly string[], expected: string) => {
    serve(extraTimesRoutes.accounts, { lines: [...lines] });
    const target = { files: { item: () => new File(["x"], "list.csv") } };
    fireEvent.change(screen.getByLabelText("从文件读取", { selector: "input" }), { target });
    await waitFor(() => expect(list.value).toBe(expected));
  };
  await choose(["carl", "dora"], "anna\nben\nghost\ncarl\ndora");
  await choose(["emil"], "anna\nben\nghost\nemil");
  // The list still ends with the text of the file, but this text is now part of another account.
  fireEvent.change(list, { target: { value: "joemil" } });
  await choose(["fay"], "joemil\nfay");
});
