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

it.each([
  [undefined, undefined, "00:00:00", "23:59:59"],
  ["2026-11-19 00:00:00", `${DAY} 12:00:00`, "00:00:00", "12:00:00"],
  [`${DAY} 12:00:00`, "2026-11-21 00:00:00", "12:00:00", "23:59:59"],
])("exports the bets of a day from %s to %s", (start_time, end_time, from, to) => {
  const search = { start_date: DAY, start_time, end_time };
  const times = { start_time: `${DAY} ${from}`, end_time: `${DAY} ${to}` };
  expect(exportQueryOf(BET_TAB, search, null)).toMatchObject(times);
});
