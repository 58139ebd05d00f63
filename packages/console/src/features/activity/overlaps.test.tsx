import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, fireEvent, render, screen } from "@testing-library/react";
import { ConfigProvider } from "antd";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { addTexts } from "#lib/language.ts";
import { queryClient } from "#lib/query.ts";
import { ACTIVITY_TEXTS } from "./activity-texts.ts";
import { Overlaps } from "./overlaps.tsx";

// On a machine that may be busy.
configure({ asyncUtilTimeout: 10_000 });

const RULE = {
  condition_name: "0",
  condition_formula: "0",
  condition_type: "0",
  condition_times: 1,
  condition_value_cents: 0,
  turnover: 1,
  pool_name: "周末池",
  achieve_start_time: "2026-11-20 00:00:00",
  achieve_end_time: "2026-11-20 23:59:59",
  start_time: "2026-11-20 20:00:00",
  end_time: "2026-11-20 22:00:00",
} as const;

beforeAll(() => {
  addTexts("activity", ACTIVITY_TEXTS);
  vi.stubGlobal("fetch", () => {
    const content = [1, 2, 3, 4, 5].map((id) => ({
      id,
      rounds_name: `活动${id}`,
      start_time: RULE.start_time,
      end_time: RULE.end_time,
      rounds_status: 1,
      shares: ["pool"],
    }));
    const data = { content, total: content.length };
    return Promise.resolve(Response.json({ code: 200, msg: "success", data }));
  });
});
afterEach(cleanup);

it("opens those that it has only counted, and closes them again", async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <ConfigProvider button={{ autoInsertSpace: false }}>
        <Overlaps id={undefined} rule={RULE} tag="weekend" />
      </ConfigProvider>
    </QueryClientProvider>,
  );
  const more = await screen.findByRole("button", { name: "其余 2 个" });
  expect(screen.queryByText(/活动4/u)).toBeNull();
  fireEvent.click(more);
  expect(screen.getByText("「活动4」（ID 4）：同一奖池")).toBeTruthy();
  expect(screen.getByText("「活动5」（ID 5）：同一奖池")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "收起" }));
  expect(screen.queryByText(/活动4/u)).toBeNull();
});
