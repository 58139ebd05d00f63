import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { stopSwitchRoutes } from "@red/contract/stops/stop-switch";
import type { Stop } from "@red/contract/stops/stop-switch";
import { notify, onNotice } from "#lib/notices.ts";
import { refresh } from "#lib/query.ts";
import { renderApp } from "#test/app.tsx";
import { needing, refusal, serve, signIn } from "#test/server.ts";
import { StopButton } from "./stop-button.tsx";

const STOPPED = (["draws", "payouts"] as const).map((name): Stop => {
  const rest = { stopped_at: "2026-11-20 20:00:00", stopped_by: "op", reason: null };
  return { name, pool_id: null, pool_name: null, ...rest };
});

const show = async (content: readonly Stop[]) => {
  serve(stopSwitchRoutes.list, { content: [...content], total: content.length });
  await act(() => refresh(stopSwitchRoutes.list));
};

const stopButton = () => screen.findByRole("button", { name: "全部暂停" });
const startButton = () => screen.findByRole("button", { name: "恢复运行" });

/** Returns the open dialogs, without dialogs that are still closing. */
const openDialogs = () =>
  screen.queryAllByRole("dialog").filter((dialog) => dialog.closest(".ant-modal-wrap") !== null);

async function renderButton() {
  await signIn("stop.use", "activity.write", "record.pay");
  serve(stopSwitchRoutes.list, { content: [], total: 0 });
  renderApp(<StopButton />);
  return await stopButton();
}

it("opens no dialog after a stop is started again", async () => {
  fireEvent.click(await renderButton());
  // The list of stops changes before the call returns.
  serve(stopSwitchRoutes.stopEverything, async () => {
    await show(STOPPED);
    return null;
  });
  const dialog = await screen.findByRole("dialog", { name: "全部暂停？" });
  fireEvent.click([...dialog.querySelectorAll("button")].at(-1) ?? dialog);
  await startButton();
  await show([]);
  await stopButton();
  expect(openDialogs()).toEqual([]);
});

it("closes the dialog when a colleague stops everything, and opens none while all is stopped", async () => {
  fireEvent.click(await renderButton());
  await screen.findByRole("dialog", { name: "全部暂停？" });
  await show(STOPPED);
  await startButton();
  act(() => notify({ kind: "stop" }));
  await show([]);
  await stopButton();
  expect(openDialogs()).toEqual([]);
});

it("asks once for the code, under the title of the start; Cancel starts nothing and shows no error", async () => {
  await renderButton();
  await show(STOPPED);
  const shown = vi.fn<(text: string) => void>();
  onTestFinished(onNotice("error", shown));
  shown.mockClear();
  const needs = { code_above: null, risk: "0.00", reason: true };
  const sent = serve(stopSwitchRoutes.startEverything, ({ code }) =>
    code === "222222" ? null : code === undefined ? needing(needs) : refusal(402, "动态验证码错误"),
  );
  const open = async () => {
    fireEvent.click(await startButton());
    fireEvent.click(await startButton());
    return await screen.findByRole("dialog", { name: "恢复抽奖和发放" });
  };
  const press = (dialog: HTMLElement, name: RegExp) =>
    fireEvent.click(within(dialog).getByRole("button", { name }));
  press(await open(), /^取\s?消$/u);
  await waitFor(() => expect(openDialogs()).toEqual([]));
  expect([sent.map(({ code }) => code), shown.mock.calls]).toEqual([[undefined, undefined], []]);

  const dialog = await open();
  within(dialog).getByText("队列中的发放在恢复后立即继续。");
  fireEvent.change(within(dialog).getByRole("textbox", { name: "原因" }), {
    target: { value: "已修复" },
  });
  const code = within(dialog).getByLabelText("动态验证码");
  fireEvent.change(code, { target: { value: "111111" } });
  await within(dialog).findByText("动态验证码错误");
  expect(code).toHaveProperty("value", "");
  fireEvent.change(code, { target: { value: "222222" } });
  await waitFor(() => expect(openDialogs()).toEqual([]));
  expect(sent.slice(-2).map((one) => one.code)).toEqual(["111111", "222222"]);
});
