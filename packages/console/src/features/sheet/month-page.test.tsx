import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { monthRoutes } from "@red/contract/month";
import type { MonthRound } from "@red/contract/month";
import { renderApp } from "#test/app.tsx";
import { ROUND } from "#test/fixtures.ts";
import { serve, signIn } from "#test/server.ts";
import { MonthPage } from "./month-page.tsx";

const NOTHING = { count: 0, amount: "0.00" };
const LATER = { count: 326, amount: "1100.46" };
const SUMS = {
  drawn: LATER,
  lines: {
    paid: LATER,
    pending: NOTHING,
    unknown: NOTHING,
    refused: NOTHING,
    closed: NOTHING,
    delivered: NOTHING,
  },
  open: NOTHING,
  difference: LATER,
};

it.each([
  ["what of the difference was paid since the statement, and not in red", false, 0, 0],
  ["an open difference in red, whatever was paid since", false, 1, 2],
  ["a difference in red", true, 0, 2],
])("shows %s", async (_name, covered, open_breaks, red) => {
  await signIn("record.read");
  const later = covered ? NOTHING : LATER;
  const round: MonthRound = {
    ...SUMS,
    rounds_id: 41,
    rounds_name: ROUND.rounds_name,
    start_time: ROUND.start_time,
    end_time: ROUND.end_time,
    covered,
    open_breaks,
    statement: { until: "2026-11-20 21:00:00", later, accepted_breaks: 0 },
    hash: "h",
    not_ready: null,
    signed: null,
  };
  const month = { month: "2026-11", with_rounds: [], rounds: [round], total: SUMS };
  serve(monthRoutes.detail, month);
  const { container } = renderApp(<MonthPage />);
  await screen.findByText(/周末红包A/);
  const words = screen.queryAllByText(/^其中此后到账 326 条 1,100\.46/);
  expect(words.map(({ textContent }) => textContent)).toEqual(
    covered ? [] : ["其中此后到账 326 条 1,100.46", "其中此后到账 326 条 1,100.46"],
  );
  const whole = "对账单截至 2026-11-20 21:00:00，不含此后到账的 326 条 1,100.46，请重新对账";
  expect(screen.queryAllByTitle(whole)).toHaveLength(covered ? 0 : 1);
  expect(container.querySelectorAll(".t-verdict-off")).toHaveLength(red);
});
