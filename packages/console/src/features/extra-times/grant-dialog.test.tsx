import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { ConfigProvider } from "antd";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { saveDraft } from "#forms/draft.ts";
import { addTexts } from "#lib/language.ts";
import { queryClient } from "#lib/query.ts";
import { loadSession } from "#lib/session.ts";
import { App } from "#test/app.tsx";
import { operatorWith } from "#test/operator.ts";
import { UI_TEXTS } from "#ui/ui-texts.ts";
import { GrantDialog } from "./grant-dialog.tsx";

// On a machine that may be busy.
configure({ asyncUtilTimeout: 10_000 });

const USER = operatorWith("player.read", "player.grant");
const DRAFT = "extra_times:grant";
const TAGS = { weekend: "周末红包", dragon: "龙舟红包" };
const PREVIEW = { granted: 2, unknown: ["ghost"], doubled: [], expired: [], plan: "the plan" };
const WARNING =
  "其中 1 个账号在 24 小时内已加过这个组别的次数，最近一次由 colleague 于 2026-11-21 10:00:00 添加。请确认不是重复添加；添加后不能撤回。";

/** What the previews were asked for. */
let asked: { readonly tag?: string }[] = [];
/** What files are read as. */
let lines: readonly string[] = [];
/** Holds back what is told of a group. */
let release: (() => void) | null = null;

function beforeIn(tag: string | undefined) {
  const row = { created_at: "2026-11-21 10:00:00", granted_by: "colleague" };
  return tag === "weekend" ? { user_names: ["anna"], ...row } : null;
}

async function answer(url: string, { body }: RequestInit): Promise<unknown> {
  if (url.includes("accounts")) {
    return { lines };
  }
  if (!url.includes("grant/preview")) {
    return url.includes("user/info") ? USER : { tags: TAGS };
  }
  const sent = JSON.parse(typeof body === "string" ? body : "{}") as { tag?: string };
  asked.push(sent);
  if (sent.tag === "dragon") {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  }
  return { ...PREVIEW, granted_before: beforeIn(sent.tag) };
}

beforeAll(async () => {
  addTexts("ui", UI_TEXTS);
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) =>
    Response.json({ code: 200, msg: "success", data: await answer(url, init) }),
  );
  await loadSession();
});

beforeEach(() => {
  sessionStorage.clear();
  queryClient.clear();
  asked = [];
});
afterEach(cleanup);

function show(tag: string | undefined): void {
  saveDraft(DRAFT, { user_names: "anna\nben\nghost", tag });
  render(
    <QueryClientProvider client={queryClient}>
      <ConfigProvider button={{ autoInsertSpace: false }}>
        <App>
          <GrantDialog onClose={() => {}} />
        </App>
      </ConfigProvider>
    </QueryClientProvider>,
  );
}

async function findSubmit(name = "给 2 个账号添加 2 次"): Promise<HTMLButtonElement> {
  const buttons = await screen.findAllByRole<HTMLButtonElement>("button", { name });
  const [button] = buttons;
  if (button === undefined) {
    throw new Error("there is no button");
  }
  return button;
}

/** The whole sentence; the moment within it is an element of its own. */
async function findWarning(): Promise<HTMLElement> {
  const warning = await screen.findByText(/24 小时内已加过/u);
  expect(warning.textContent.trim()).toBe(WARNING);
  return warning;
}

it("says nothing of earlier grants until a group is chosen", async () => {
  show(undefined);
  expect((await findSubmit()).disabled).toBe(false);
  expect(asked.map(({ tag }) => tag)).toEqual([undefined]);
  expect(screen.queryByText(/24 小时内/)).toBeNull();
});

it("warns of those who had one of the group, names them, and forbids nothing", async () => {
  show("weekend");
  const warning = await findWarning();
  expect(warning.querySelector(".anticon-warning")).toBeTruthy();
  expect(
    screen.getByLabelText<HTMLTextAreaElement>("24 小时内加过这个组别的账号，会再加一次（1）")
      .value,
  ).toBe("anna");
  expect(screen.getByText("名单共 3 项，2 个账号各增加 1 次")).toBeTruthy();
  expect((await findSubmit()).disabled).toBe(false);
});

it("asks again for another group, keeps what the list comes to, and waits with the grant", async () => {
  show("weekend");
  await findWarning();
  fireEvent.mouseDown(screen.getByRole("combobox", { name: "次数组别" }));
  fireEvent.click(await screen.findByTitle(TAGS.dragon));
  await waitFor(() => expect(release).not.toBeNull());
  expect(asked.at(-1)?.tag).toBe("dragon");
  expect(screen.queryByText(/24 小时内/)).toBeNull();
  expect(screen.getByText("名单共 3 项，2 个账号各增加 1 次")).toBeTruthy();
  expect(screen.getByLabelText<HTMLTextAreaElement>("没有这些账号，跳过（1）").value).toBe("ghost");
  expect((await findSubmit("正在核对…")).disabled).toBe(true);
  release?.();
  expect((await findSubmit()).disabled).toBe(false);
  expect(screen.queryByText(/24 小时内/)).toBeNull();
});

it("adds a file to the pasted list, and lets another file take that one's place", async () => {
  show(undefined);
  const list = await screen.findByLabelText<HTMLTextAreaElement>(/每行一个/);
  const choose = async (read: readonly string[], expected: string) => {
    lines = read;
    const target = { files: { item: () => new File(["x"], "list.csv") } };
    fireEvent.change(screen.getByLabelText("从文件读取", { selector: "input" }), { target });
    await waitFor(() => expect(list.value).toBe(expected));
  };
  await choose(["carl", "dora"], "anna\nben\nghost\ncarl\ndora");
  await choose(["emil"], "anna\nben\nghost\nemil");
  // A name that only ends as the file did is another one.
  fireEvent.change(list, { target: { value: "joemil" } });
  await choose(["fay"], "joemil\nfay");
});
