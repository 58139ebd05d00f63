import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { Form } from "antd";
import { beforeAll, expect, it } from "vitest";
import { dayjs } from "#ui/wall-time.ts";
import { ActivityForm } from "./activity-form.tsx";
import { ruleOf, valuesOf } from "./activity-values.ts";
import type { ActivityValues } from "./activity-values.ts";
import { EarningWarning, LargestWarning, Missing, RulePreview } from "./rule-preview.tsx";
import { activityRoutes } from "@red/contract/rounds/activity";
import { poolRoutes } from "@red/contract/pools/pool";
import { redCodeRoutes } from "@red/contract/rounds/tag";
import { renderApp } from "#test/app.tsx";
import { ROUND as LISTED } from "#test/fixtures.ts";
import { serve, signIn } from "#test/server.ts";

beforeAll(() => signIn("activity.write"));

const ROUND = {
  condition_name: "2",
  start_time: dayjs("2026-11-20 20:00:00"),
  end_time: dayjs("2026-11-20 22:00:00"),
} as const;

function show(from: string, to: string): string {
  const window = { achieve_start_time: dayjs(from), achieve_end_time: dayjs(to) };
  render(<EarningWarning values={{ ...ROUND, ...window }} />);
  return screen.queryByRole("alert")?.textContent ?? "";
}

it("warns of a window that starts after the round, with both times", () => {
  expect(show("2026-11-21 00:00:00", "2026-11-21 23:59:59")).toBe(
    "没有玩家能获得抽奖：条件时间 2026-11-21 00:00:00 才开始，活动 2026-11-20 22:00:00 就已结束。",
  );
});

it("warns of a window that ends before the round starts", () => {
  expect(show("2026-11-01 00:00:00", "2026-11-02 23:59:59")).toBe(
    "条件时间 2026-11-02 23:59:59 已结束，比活动开始 2026-11-20 20:00:00 早一天以上：这之后的存款都不计入。",
  );
});

it("does not warn of a window that overlaps the round, or is not entered yet", () => {
  expect(show("2026-11-20 00:00:00", "2026-11-20 23:59:59")).toBe("");
  render(<EarningWarning values={ROUND} />);
  expect(screen.queryByRole("alert")).toBeNull();
});

it.each([
  ["", "过去 7 天最大一笔存款 1,000,000.00 可得 8,333 次抽奖。可用每人上限限制。"],
  ["5", ""],
])("warns of the draws for the largest deposit, with a limit of %s", async (draws_max, warning) => {
  const asked = serve(activityRoutes.largest, { amount: "1000000.00" });
  const rule = ruleOf({ ...valuesOf(LISTED), draws_max });
  renderApp(rule && <LargestWarning rule={rule} />);
  await waitFor(() => expect(asked).toHaveLength(1));
  await waitFor(() => expect(screen.queryByRole("alert")?.textContent ?? "").toBe(warning));
});

it("refuses a limit of 0 while it is typed", async () => {
  serve(activityRoutes.tags, { tags: {} });
  serve(poolRoutes.list, { content: [], total: 0 });
  serve(redCodeRoutes.list, { content: [], total: 0 });
  renderApp(
    <Form validateTrigger="onSubmit">
      <ActivityForm onNewPool={() => undefined} />
    </Form>,
  );
  fireEvent.change(await screen.findByLabelText(/每人每日上限/u), { target: { value: "0" } });
  expect(await screen.findByText("请填写 1 到 1,000,000 的整数，不限则留空")).toBeTruthy();
});

const { turnover: _turnover, ...UNTURNED } = valuesOf(LISTED);

it.each<[string, ActivityValues, string[]]>([
  [
    "empty",
    { ...UNTURNED, end_time: null },
    ["这里会用一句话说明活动规则，还需填写：流水倍数、活动结束时间。"],
  ],
  ["wrong", { ...valuesOf(LISTED), day_draws_max: "0" }, ["请先改正：每人每日上限。"]],
  [
    "wrong or empty",
    { ...valuesOf(LISTED), day_draws_max: "0", condition_value: "0", end_time: null },
    ["请先改正：条件值、每人每日上限。", "这里会用一句话说明活动规则，还需填写：活动结束时间。"],
  ],
])("names the fields that are %s", (_what, values, said) => {
  const { container } = render(<Missing values={values} />);
  expect([...container.querySelectorAll("p")].map((one) => one.textContent)).toEqual(said);
});

it("expands and collapses the rounds that the preview does not list at first", async () => {
  const { start_time, end_time } = LISTED;
  const shared = { start_time, end_time, rounds_status: 1 as const, shares: ["pool" as const] };
  const content = [1, 2, 3, 4, 5].map((id) => ({ id, rounds_name: `活动${id}`, ...shared }));
  serve(activityRoutes.overlap, { content, total: content.length });
  renderApp(<RulePreview values={valuesOf(LISTED)} id={undefined} />);
  const more = await screen.findByRole("button", { name: "其余 2 个" });
  expect(screen.queryByText(/活动4/)).toBeNull();
  fireEvent.click(more);
  expect(screen.getByText("「活动4」（ID 4）：同一奖池")).toBeTruthy();
  expect(screen.getByText("「活动5」（ID 5）：同一奖池")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "收起" }));
  expect(screen.queryByText(/活动4/)).toBeNull();
});
