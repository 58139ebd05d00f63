import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Prize } from "@red/contract/pools/prize";
import { queryClient } from "#lib/query.ts";
import { UI_TEXTS } from "#ui/ui-texts.ts";
import { PrizeDialog } from "./prize-dialog.tsx";
import { PRIZE_FILE_LABELS, prizeRoutes } from "@red/contract/pools/prize";
import { renderApp } from "#test/app.tsx";
import { needing, refusal, serve, serveValue, signIn } from "#test/server.ts";
import { PRIZE } from "#test/fixtures.ts";

const MONEY: Prize = { ...PRIZE, award_name: "88.88元红包", award_price: "88.88" };
const GOODS: Prize = { ...MONEY, id: 4, award_name: "保温杯", award_price: "0.00" };

beforeAll(() => signIn("pool.write"));
beforeEach(() => {
  serve(prizeRoutes.detail, ({ url }) => (url.includes("/4/") ? GOODS : MONEY));
  serve(prizeRoutes.list, { content: [MONEY, GOODS], total: 2 });
});

/** Opens the dialog of a prize with this amount. Returns a function that reads the amount field. */
async function open(id: number, amount: string): Promise<() => string> {
  renderApp(<PrizeDialog pool_name="周末池" id={id} onClose={() => undefined} />);
  await screen.findByDisplayValue(amount);
  return () => screen.getByLabelText<HTMLInputElement>(/奖品额度$/u).value;
}

function choose(type: string): void {
  fireEvent.click(screen.getByRole("radio", { name: type }));
}

it("has an input for every column of a prize", async () => {
  await open(3, "88.88");
  const labelled = [...document.querySelectorAll("label")].map((label) => label.htmlFor);
  const columns = Object.keys(PRIZE_FILE_LABELS).filter((column) => column !== "pool_name");
  expect(labelled).toEqual(expect.arrayContaining(columns));
});

it("restores the amount that a prize had before it was set to physical", async () => {
  const amount = await open(3, "88.88");
  choose("实物");
  expect(amount()).toBe("0");
  choose("虚拟");
  expect(amount()).toBe("88.88");
  fireEvent.change(screen.getByLabelText(/奖品额度$/u), { target: { value: "5" } });
  choose("实物");
  choose("虚拟");
  expect(amount()).toBe("5");
  fireEvent.change(screen.getByLabelText(/奖品额度$/u), { target: { value: "¥1,200.50元" } });
  expect(amount()).toBe("1200.50");
});

it("requires an amount for a prize that was always physical", async () => {
  const amount = await open(4, "0.00");
  choose("虚拟");
  expect(amount()).toBe("");
});

it("keeps the input when the pool was renamed, also if reloading fails", async () => {
  await open(3, "88.88");
  const weight = screen.getByLabelText<HTMLInputElement>(/权重$/u);
  fireEvent.change(weight, { target: { value: "7" } });
  const msg = "奖池与奖品所在的不一致";
  const errors = [{ field: "pool_name", msg }];
  const saved = serve(prizeRoutes.update, () =>
    refusal(400, msg, { errors }, "prize_pool_differs"),
  );
  serve(prizeRoutes.detail, () => refusal(500, "坏了"));
  const save = () => fireEvent.click(screen.getByRole("button", { name: /^保\s?存/u }));
  save();
  await screen.findByRole("button", { name: UI_TEXTS.zh.stale_reload });
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(weight.value).toBe("7");
  serve(prizeRoutes.lastSave, { by: "小李", at: "2026-11-21 20:00:00" });
  serve(prizeRoutes.detail, { ...MONEY, pool_name: "改名池", weight: 9 });
  fireEvent.click(screen.getByRole("button", { name: UI_TEXTS.zh.stale_reload }));
  await screen.findByText("小李 于 2026-11-21 20:00:00 保存");
  expect(weight.value).toBe("7");
  fireEvent.click(screen.getByRole("radio", { name: "用对方的：9" }));
  expect(weight.value).toBe("9");
  fireEvent.click(screen.getByRole("radio", { name: "用我的：7" }));
  expect(weight.value).toBe("7");
  save();
  await waitFor(() => expect(saved).toHaveLength(2));
  expect(saved[1]?.body).toMatchObject({ pool_name: "改名池", weight: "7" });
});

it("saves and continues with the next prize, which keeps only the guarantee", async () => {
  const added = serve(prizeRoutes.create, { id: 9 });
  const onClose = vi.fn<() => void>();
  renderApp(<PrizeDialog pool_name="周末池" id={null} onClose={onClose} />);
  const fill = (name: RegExp, value: string) =>
    fireEvent.change(screen.getByRole("textbox", { name }), { target: { value } });
  fill(/奖品$/u, "红包");
  fill(/权重$/u, "1");
  fill(/奖品总数$/u, "10");
  fill(/奖品额度$/u, "8.88");
  fireEvent.click(screen.getByRole("radio", { name: UI_TEXTS.zh.no }));
  fireEvent.click(screen.getByRole("button", { name: "保存并继续添加" }));
  await waitFor(() => expect(added).toHaveLength(1));
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/权重$/u).value).toBe(""));
  expect(screen.getByRole<HTMLInputElement>("radio", { name: UI_TEXTS.zh.no }).checked).toBe(true);
  expect(onClose).not.toHaveBeenCalled();
});

it("asks for a code before a costly change; cancelling and a wrong code keep the input", async () => {
  const pools = [
    { pool_name: "周末池", cost_before: "1.89", cost_after: "444.72", draws_hour: 200 },
  ];
  const needs = { risk: "434565.18", pools };
  const answers = [
    needing(needs),
    needing(needs),
    refusal(402, "动态验证码错误"),
    Response.json({ code: 200, msg: "", data: { version: 9 } }),
  ];
  const saved = serve(prizeRoutes.update, () => answers.shift() ?? refusal(500, "坏了"));
  const onClose = vi.fn<() => void>();
  renderApp(<PrizeDialog pool_name="周末池" id={3} onClose={onClose} />);
  await screen.findByDisplayValue("88.88");
  const weight = screen.getByLabelText<HTMLInputElement>(/权重$/u);
  fireEvent.change(weight, { target: { value: "100000" } });
  const save = () => fireEvent.click(screen.getByRole("button", { name: /^保\s?存/u }));
  save();
  await screen.findByText("确认大额变动");
  const figures = screen.getAllByRole("definition").slice(-3);
  const shown = figures.map((figure) => figure.textContent);
  expect(shown.slice(1)).toEqual(["1.89 → 444.72", "378.00 → 88,944.00"]);
  screen.getByText("到结束最多多支出约 434,565.18");
  const [, cancel = document.body] = screen.getAllByRole("button", { name: /取\s?消/u });
  fireEvent.click(cancel);
  await waitFor(() => expect(screen.queryByText("确认大额变动")).toBeNull());
  expect([weight.value, screen.queryByRole("alert")]).toEqual(["100000", null]);
  save();
  const enter = async (code: string) =>
    fireEvent.change(await screen.findByLabelText("动态验证码"), { target: { value: code } });
  await enter("000000");
  expect((await screen.findByRole("alert")).textContent).toBe("动态验证码错误");
  expect([weight.value, onClose.mock.calls.length]).toEqual(["100000", 0]);
  await enter("123456");
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(saved.map(({ code }) => code)).toEqual([undefined, undefined, "000000", "123456"]);
  expect(saved[3]?.body).toEqual(saved[1]?.body);
});

it("shows cost and needs of a change after a pause in typing, and nothing for the saved values", async () => {
  const valued = serveValue(prizeRoutes.update, ({ body }) => ({
    risk: Object(body)["weight"] === "100000" ? "20309.00" : "0.00",
    second: true,
  }));
  renderApp(<PrizeDialog pool_name="周末池" id={3} onClose={() => undefined} />);
  await screen.findByDisplayValue("88.88");
  const enter = (value: string) =>
    fireEvent.change(screen.getByLabelText<HTMLInputElement>(/权重$/u), { target: { value } });
  const before = screen.getByLabelText<HTMLInputElement>(/权重$/u).value;
  for (const value of ["1", "1000", "100000"]) {
    enter(value);
  }
  await screen.findByText("到结束最多多支出约 20,309.00");
  screen.getByText("提交时需要：动态验证码、他人审批。");
  screen.getByRole("button", { name: /^保存（最多约 20,309.00）/u });
  expect(valued.map(({ body }) => body)).toEqual([expect.objectContaining({ weight: "100000" })]);
  enter("7");
  await waitFor(() => expect(screen.queryByText(/最多多支出/u)).toBeNull());
  await screen.findByText("不增加支出");
  enter(before);
  await waitFor(() => expect(screen.queryByText("不增加支出")).toBeNull());
  expect(valued).toHaveLength(2);
});
