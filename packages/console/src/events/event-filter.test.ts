import { expect, it } from "vitest";
import { BET_TAB, DEPOSIT_TAB, exportQueryOf } from "./event-filter.ts";

const DAY = "2026-11-20";
const WINDOW = {
  achieve_start_time: "2026-11-19 08:00:00",
  achieve_end_time: "2026-11-19 20:00:00",
};

it("exports deposits by their filters, without those of bets", () => {
  const search = { user_name: "player01", start_date: DAY, rounds_name: "A", type: "1234" };
  expect(exportQueryOf(DEPOSIT_TAB, search, WINDOW)).toEqual({
    kind: "deposit",
    user_name: "player01",
    start_date: DAY,
    rounds_name: "A",
  });
});

it("replaces day and activity by the window in an export of bets", () => {
  expect(
    exportQueryOf(BET_TAB, { start_date: DAY, rounds_name: "A", type: "1234" }, WINDOW),
  ).toEqual({
    kind: "betlog",
    type: "1234",
    start_time: WINDOW.achieve_start_time,
    end_time: WINDOW.achieve_end_time,
  });
});

it("exports the bets of a day within the times of the filter", () => {
  expect(exportQueryOf(BET_TAB, { start_date: DAY }, null)).toMatchObject({
    start_time: `${DAY} 00:00:00`,
    end_time: `${DAY} 23:59:59`,
  });
  const search = {
    start_date: DAY,
    start_time: "2026-11-19 00:00:00",
    end_time: `${DAY} 12:00:00`,
  };
  expect(exportQueryOf(BET_TAB, search, null)).toMatchObject({
    start_time: `${DAY} 00:00:00`,
    end_time: `${DAY} 12:00:00`,
  });
});
