import type { PoolPreview, Prize } from "@red/contract/prize";
import { expect, it } from "vitest";
import { prizeChanges } from "./prize-changes.ts";

type After = PoolPreview["prizes"][number];

function prizeOf(id: number, award_name: string, weight: number): Prize {
  const amounts = { award_price: "1.00", award_total: 10, remaining: 4 };
  return { id, award_name, weight, ...amounts, drawn: 6, pool_name: "p", floors: 1, version: 1 };
}

function afterOf(award_name: string, weight: number, change: After["change"]): After {
  return {
    award_name,
    award_price: "1.00",
    weight,
    award_total: 10,
    drawn: change === "added" ? 0 : 6,
    floors: 1,
    change,
  };
}

it("tells what is added, what is changed, and whose odds change by that", () => {
  const now = [prizeOf(3, "one", 1), prizeOf(5, "two", 1)];
  const then = [
    afterOf("one", 1, "unchanged"),
    afterOf("two", 1, "unchanged"),
    afterOf("three", 2, "added"),
  ];
  const changes = prizeChanges(now, then);
  expect(
    changes.map(({ award_name, before, after }) => [award_name, before?.odds, after.odds]),
  ).toEqual([
    ["one", 0.5, 0.25],
    ["two", 0.5, 0.25],
    ["three", undefined, 0.5],
  ]);
});

it("leaves out what stays as it was", () => {
  const now = [prizeOf(3, "one", 1), prizeOf(5, "two", 1)];
  const then = [
    { ...afterOf("one", 1, "updated"), award_total: 20 },
    afterOf("two", 1, "unchanged"),
  ];
  const [change, ...more] = prizeChanges(now, then);
  expect(change).toMatchObject({ before: { award_total: 10 }, after: { award_total: 20 } });
  expect(more).toEqual([]);
});
