import { QueryClientProvider } from "@tanstack/react-query";
import {
  act,
  cleanup,
  configure,
  fireEvent,
  render,
  screen,
  waitFor,
  within,
} from "@testing-library/react";
import { App, ConfigProvider } from "antd";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { loadDraft, saveDraft } from "#forms/draft.ts";
import { addTexts } from "#lib/language.ts";
import { queryClient } from "#lib/query.ts";
import { loadSession } from "#lib/session.ts";
import { operatorWith } from "#test/operator.ts";
import { UI_TEXTS } from "#ui/ui-texts.ts";
import { dayjs } from "#ui/wall-time.ts";
import { AddForm } from "./add-form.tsx";

// On a machine that may be busy.
configure({ asyncUtilTimeout: 10_000 });

const USER = operatorWith("player.read", "player.grant");
const DRAFT = "extra_times:add";
const ENTERED = {
  user_name: "nobody",
  tag: "weekend",
  expire_time: dayjs("2026-11-30 23:59:59"),
};

/** What the server says of a grant. */
let answer: object;
/** Until then it says nothing. */
let answering: Promise<void>;
/** Whom the preview tells to have had one of the group. */
let before: object | null;

beforeAll(async () => {
  addTexts("ui", UI_TEXTS);
  vi.stubGlobal("fetch", async (url: string, { method }: RequestInit = {}) => {
    const preview = { granted: 1, unknown: [], doubled: [], expired: [], plan: "p" };
    const data = url.includes("user/info")
      ? USER
      : url.includes("preview")
        ? { ...preview, granted_before: before }
        : url.includes("tags")
          ? { tags: {} }
          : null;
    const isGrant = method === "POST" && !url.includes("preview");
    await (isGrant ? answering : null);
    return Response.json(isGrant ? answer : { code: 200, msg: "success", data });
  });
  await loadSession();
});

beforeEach(() => {
  sessionStorage.clear();
  queryClient.clear();
  before = null;
  answering = Promise.resolve();
});
afterEach(cleanup);

function show() {
  return render(
    <QueryClientProvider client={queryClient}>
      <ConfigProvider button={{ autoInsertSpace: false }}>
        <App>
          <AddForm />
        </App>
      </ConfigProvider>
    </QueryClientProvider>,
  );
}

function add(): void {
  fireEvent.click(screen.getByRole("button", { name: "添加" }));
}

it("marks every field that is missing", async () => {
  show();
  add();
  await screen.findByText("please fill in the username");
  expect(screen.getByText("please fill in the times group")).toBeTruthy();
  expect(screen.getByText("please select the date")).toBeTruthy();
});

it.each([
  ["user_name", "没有这个玩家账号"],
  ["expire_time", "过期时间必须晚于现在"],
])("marks the field %s that the server refuses", async (field, msg) => {
  saveDraft(DRAFT, ENTERED);
  answer = { code: 400, msg, data: { errors: [{ field, msg }] } };
  show();
  add();
  await screen.findByText(msg);
  const item = screen.getByText(msg).closest<HTMLElement>(".ant-form-item");
  const label = field === "user_name" ? "账号" : "过期时间";
  expect(item && within(item).getByLabelText(label)).toBeTruthy();
});

it("puts nothing back that has been granted", async () => {
  saveDraft(DRAFT, ENTERED);
  answer = { code: 200, msg: "success", data: null };
  const view = show();
  await screen.findByText(UI_TEXTS.zh.draft_restored);
  add();
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("账号").value).toBe(""));
  await waitFor(() => expect(loadDraft(DRAFT)).toBeNull());
  view.unmount();
  show();
  expect(screen.queryByText(UI_TEXTS.zh.draft_restored)).toBeNull();
});

it("warns of an account that had one of the group lately, and adds it all the same", async () => {
  saveDraft(DRAFT, ENTERED);
  answer = { code: 200, msg: "success", data: null };
  before = { user_names: ["nobody"], created_at: "2026-11-21 10:00:00", granted_by: "colleague" };
  show();
  await screen.findByText(/24 小时内已加过这个组别的次数，最近一次由 colleague/);
  add();
  // The field is empty for the next player, of whom nothing is known.
  await waitFor(() => expect(screen.queryByText(/24 小时内/)).toBeNull());
  expect(screen.getByLabelText<HTMLInputElement>("账号").value).toBe("");
});

it.each([
  { code: 200, msg: "success", data: null },
  { code: 400, msg: "没有", data: { errors: [{ field: "user_name", msg: "没有" }] } },
])("keeps the account that is entered while another one is being added: $code", async (said) => {
  saveDraft(DRAFT, ENTERED);
  answer = said;
  let come: () => void = () => undefined;
  answering = new Promise((resolve) => {
    come = resolve;
  });
  show();
  add();
  const button = screen.getByRole("button", { name: "添加" });
  await waitFor(() => expect(button.getAttribute("aria-busy")).toBe("true"));
  const field = screen.getByLabelText<HTMLInputElement>("账号");
  fireEvent.change(field, { target: { value: "next" } });
  await act(async () => come());
  await waitFor(() => expect(button.getAttribute("aria-busy")).not.toBe("true"));
  expect(field.value).toBe("next");
  expect(screen.queryByText("没有")).toBeNull();
});
