import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Permission } from "@red/contract/permissions";
import { sessionRoutes } from "@red/contract/session";
import { stopSwitchRoutes } from "@red/contract/stop-switch";
import type { Stop } from "@red/contract/stop-switch";
import { notify } from "#lib/notices.ts";
import { refresh } from "#lib/query.ts";
import { renderApp } from "#test/app.tsx";
import { OPERATOR } from "#test/fixtures.ts";
import { serve, signIn } from "#test/server.ts";
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

/** All but what closes slowly: a dialog that opens by itself says that it is open. */
const openDialogs = () =>
  screen.queryAllByRole("dialog").filter((dialog) => dialog.closest(".ant-modal-wrap") !== null);

async function renderButton() {
  await signIn("stop.use", "activity.write", "record.pay");
  serve(stopSwitchRoutes.list, { content: [], total: 0 });
  renderApp(<StopButton />);
  return await stopButton();
}

it("asks nothing when what one stopped is started again, by oneself or a colleague", async () => {
  fireEvent.click(await renderButton());
  // The list of stops is new before the call's answer is handled.
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

it("asks nothing after a colleague stopped everything meanwhile, or when all is stopped already", async () => {
  fireEvent.click(await renderButton());
  await screen.findByRole("dialog", { name: "全部暂停？" });
  await show(STOPPED);
  await startButton();
  act(() => notify({ kind: "stop" }));
  await show([]);
  await stopButton();
  expect(openDialogs()).toEqual([]);
});

it("does not ask for the code again once the right to start comes back", async () => {
  await renderButton();
  await show(STOPPED);
  fireEvent.click(await startButton());
  await screen.findByRole("dialog", { name: "恢复抽奖和发放" });
  const change = (...permissions: Permission[]) => {
    serve(sessionRoutes.userInfo, { ...OPERATOR, permissions });
    act(() => notify({ kind: "not_permitted" }));
  };
  change("stop.use");
  await waitFor(() => expect(openDialogs()).toEqual([]));
  change("stop.use", "activity.write", "record.pay");
  await waitFor(async () => expect((await startButton()).matches(":disabled")).toBe(false));
  expect(openDialogs()).toEqual([]);
});
