import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { loadDraft, saveDraft } from "#forms/draft.ts";
import { UI_TEXTS } from "#ui/ui-texts.ts";
import { dayjs } from "#ui/wall-time.ts";
import { AddForm } from "./add-form.tsx";
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import { renderApp } from "#test/app.tsx";
import { held, refusal, serve, signIn } from "#test/server.ts";

const DRAFT = "extra_times:add";
const PREVIEW = {
  granted: 1,
  unknown: [],
  doubled: [],
  expired: [],
  blocked: [],
  excluded: [],
  plan: "p",
};
const ENTERED = {
  user_name: "nobody",
  tag: "weekend",
  expire_time: dayjs("2026-11-30 23:59:59"),
};

beforeAll(() => signIn("player.read", "player.grant"));

beforeEach(() => {
  serve(extraTimesRoutes.preview, { ...PREVIEW, granted_before: null });
  serve(extraTimesRoutes.create, null);
});

const show = () => renderApp(<AddForm />);
const add = () => fireEvent.click(screen.getByRole("button", { name: "添加" }));

it.each([
  ["user_name", "没有这个玩家账号"],
  ["expire_time", "过期时间必须晚于现在"],
])("marks the field %s that the server refuses", async (field, msg) => {
  saveDraft(DRAFT, ENTERED);
  serve(extraTimesRoutes.create, () => refusal(400, msg, { errors: [{ field, msg }] }));
  show();
  add();
  await screen.findByText(msg);
  const item = screen.getByText(msg).closest<HTMLElement>(".ant-form-item");
  const label = field === "user_name" ? "账号" : "过期时间";
  expect(item && within(item).getByLabelText(label)).toBeTruthy();
});

it("restores no draft after a grant", async () => {
  saveDraft(DRAFT, ENTERED);
  const view = show();
  await screen.findByText(UI_TEXTS.zh.draft_restored);
  add();
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("账号").value).toBe(""));
  await waitFor(() => expect(loadDraft(DRAFT)).toBeNull());
  view.unmount();
  show();
  expect(screen.queryByText(UI_TEXTS.zh.draft_restored)).toBeNull();
});

it.each([
  ["added", null],
  ["refused", { errors: [{ field: "user_name", msg: "没有" }] }],
])("keeps an account entered while another one is being %s", async (_, faults) => {
  saveDraft(DRAFT, ENTERED);
  const { promise, resolve } = held();
  serve(extraTimesRoutes.create, async () => {
    await promise;
    return faults === null ? null : refusal(400, "没有", faults);
  });
  show();
  add();
  const button = screen.getByRole("button", { name: "添加" });
  await waitFor(() => expect(button.getAttribute("aria-busy")).toBe("true"));
  const field = screen.getByLabelText<HTMLInputElement>("账号");
  fireEvent.change(field, { target: { value: "next" } });
  await act(async () => resolve());
  await waitFor(() => expect(button.getAttribute("aria-busy")).not.toBe("true"));
  expect(field.value).toBe("next");
  expect(screen.queryByText("没有")).toBeNull();
});
