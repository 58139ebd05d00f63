import { fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { valuesOf } from "./activity-values.ts";
import { RulePreview } from "./rule-preview.tsx";
import { activityRoutes } from "@red/contract/activity";
import { renderApp } from "#test/app.tsx";
import { ROUND } from "#test/fixtures.ts";
import { serve, signIn } from "#test/server.ts";

it("expands and collapses the rounds that the preview only counts", async () => {
  await signIn("activity.write");
  const { start_time, end_time } = ROUND;
  const content = [1, 2, 3, 4, 5].map((id) => ({
    id,
    rounds_name: `活动${id}`,
    start_time,
    end_time,
    rounds_status: 1 as const,
    shares: ["pool" as const],
  }));
  serve(activityRoutes.overlap, { content, total: content.length });
  renderApp(<RulePreview values={valuesOf(ROUND)} id={undefined} />);
  const more = await screen.findByRole("button", { name: "其余 2 个" });
  expect(screen.queryByText(/活动4/u)).toBeNull();
  fireEvent.click(more);
  expect(screen.getByText("「活动4」（ID 4）：同一奖池")).toBeTruthy();
  expect(screen.getByText("「活动5」（ID 5）：同一奖池")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "收起" }));
  expect(screen.queryByText(/活动4/u)).toBeNull();
});
