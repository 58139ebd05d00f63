import { fireEvent, screen } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { Overlaps } from "./overlaps.tsx";
import { activityRoutes } from "@red/contract/activity";
import { renderApp } from "#test/app.tsx";
import { serve } from "#test/server.ts";

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
  draws_max: null,
  day_draws_max: null,
  platforms: null,
} as const;

beforeAll(() => {
  const content = [1, 2, 3, 4, 5].map((id) => ({
    id,
    rounds_name: `活动${id}`,
    start_time: RULE.start_time,
    end_time: RULE.end_time,
    rounds_status: 1 as const,
    shares: ["pool" as const],
  }));
  serve(activityRoutes.overlap, { content, total: content.length });
});

it("expands and collapses the rounds that it only counts", async () => {
  renderApp(<Overlaps id={undefined} rule={RULE} tag="weekend" />);
  const more = await screen.findByRole("button", { name: "其余 2 个" });
  expect(screen.queryByText(/活动4/u)).toBeNull();
  fireEvent.click(more);
  expect(screen.getByText("「活动4」（ID 4）：同一奖池")).toBeTruthy();
  expect(screen.getByText("「活动5」（ID 5）：同一奖池")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "收起" }));
  expect(screen.queryByText(/活动4/u)).toBeNull();
});
