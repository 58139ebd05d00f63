import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { monthRoutes } from "@red/contract/finance/month";
import type { MonthRound } from "@red/contract/finance/month";
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

const WHOLE = "对账单截至 2026-11-20 21:00:00，不含此后到账的 326 条 1,100.46，请重新对账";
const PART = { count: 2, amount: "6.00" };

it.each([
  ["that the whole difference was paid since, not in red", LATER, 0, "均为此后到账", 0],
  ["the part of an open difference that was paid since, in red", PART, 1, "此后到账 6.00 2", 2],
  ["a difference in red", null, 0, null, 2],
])("shows %s", async (_name, since, open_breaks, words, red) => {
  await signIn("record.read");
  const covered = since === null;
  const later = since ?? NOTHING;
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
  // The text appears once in the row and once in the totals.
  const notes = [...container.querySelectorAll("td .t-note[title], dd > .t-note")];
  expect(notes.map(({ textContent }) => textContent)).toEqual(words === null ? [] : [words, words]);
  expect(screen.queryAllByTitle(WHOLE)).toHaveLength(since === LATER ? 1 : 0);
  expect(container.querySelectorAll(".t-verdict-off")).toHaveLength(red);
});
