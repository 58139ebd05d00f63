import { extraTimesRoutes } from "@red/contract/players/extra-times";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { call, settled } from "#lib/api.ts";
import { leaveAskedProof } from "#lib/proof.ts";
import { onNotice } from "#lib/notices.ts";
import { renderApp } from "#test/app.tsx";
import { held, needing, serve, signIn, startServer } from "#test/server.ts";

beforeEach(async () => {
  startServer();
  await signIn("player.grant");
});

const body = { user_name: "amy", tag: "weekend", expire_time: "2049-01-01 00:00:00" };
const press = (name: RegExp) => fireEvent.click(screen.getByRole("button", { name }));
const field = (name: string) => screen.findByRole("textbox", { name });
const enter = async (name: string, value: string) =>
  fireEvent.change(await field(name), { target: { value } });

/** Sends a grant. The server first responds that the grant needs `needs`, then with the result of `done`. */
function grant(needs: Parameters<typeof needing>[0], done: () => unknown = () => null) {
  const answers: (() => unknown)[] = [() => needing(needs), done];
  const sent = serve(extraTimesRoutes.create, () => answers.shift()?.() as null);
  renderApp(<main />);
  return { sent, granted: settled(call(extraTimesRoutes.create, { body })) };
}

it("asks for reason and code at once, sends nothing without the reason, and sends on Enter", async () => {
  const { sent, granted } = grant({ reason: true, second: true });
  await enter("动态验证码", "123456");
  expect(await screen.findByText("请填写原因")).toBeTruthy();
  expect(screen.getByText(/^可能多支出的金额超过 10,000.00/u)).toBeTruthy();
  expect(screen.getByText("提交后由另一人审批，通过后才会执行。")).toBeTruthy();
  expect(sent).toHaveLength(1);
  await enter("原因", "补偿");
  fireEvent.keyDown(await field("原因"), { key: "Enter" });
  expect(await granted).toMatchObject({ ok: true });
  expect(sent.map(({ code }) => code)).toEqual([undefined, "123456"]);
});

it("sends a reason once, however often its button is pressed", async () => {
  const { promise, resolve } = held<null>();
  const { sent, granted } = grant({ code: false, reason: true }, () => promise);
  await enter("原因", "补偿");
  press(/^确\s?定/u);
  await waitFor(() => expect(sent).toHaveLength(2));
  press(/^确\s?定/u);
  resolve(null);
  expect(await granted).toMatchObject({ ok: true });
  expect(sent).toHaveLength(2);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("asks before it discards a reason, and closes with its page, which reports that nothing was sent", async () => {
  const { sent, granted } = grant({ reason: true });
  await enter("原因", "补偿");
  press(/^取\s?消/u);
  await screen.findAllByText("放弃未保存的修改？");
  const reported = vi.fn<(text: string) => void>();
  onTestFinished(onNotice("error", reported));
  // Forget errors that were reported before this listener existed.
  reported.mockClear();
  leaveAskedProof();
  expect(await granted).toMatchObject({ ok: false, error: { key: "proof_needed" } });
  expect([reported.mock.calls.length, sent.length]).toEqual([1, 1]);
});

it("says what else the operator changed within a day, when the sum of both needs a code", async () => {
  grant({ risked: "9500.00", risk: "600.00" });
  const words = "最近 24 小时内未经验证码确认的修改可能多支出 9,500.00，连同本次超过 10,000.00。";
  expect(await screen.findByText((text) => text.startsWith(words))).toBeTruthy();
  expect(screen.getByText("最近 24 小时内您的其他修改，合并计算")).toBeTruthy();
});

it("asks nothing on another page: a change sent from a page that was left reports that nothing was done", async () => {
  const { promise, resolve } = held<Response>();
  serve(extraTimesRoutes.create, () => promise as never);
  renderApp(<main />);
  const reported = vi.fn<(text: string) => void>();
  onTestFinished(onNotice("error", reported));
  const granted = settled(call(extraTimesRoutes.create, { body }));
  leaveAskedProof();
  // Forget errors from the question that the previous test left open.
  reported.mockClear();
  resolve(needing({}));
  expect(await granted).toMatchObject({ ok: false });
  expect(reported).toHaveBeenCalledOnce();
  expect(screen.queryByRole("dialog")).toBeNull();
});
