import type { SheetFigures } from "@red/contract/finance/sheet";
import { notReady, sheetFigures, sheetHash } from "./round-sheet.ts";
import { expect, test } from "vitest";

const LATER = { until: null, later_count: 0, later_cents: 0n };
const BREAKS = { open_breaks: 0, accepted_breaks: 0 };
const ROUND = { rounds_id: 1, rounds_name: "r", start_time: "", end_time: "" };
const PRIZE = { prize_id: 1, award_name: "a", award_price_cents: 888, cents: 888n, count: 1 };
const LISTED = { covered: true, count: 1, cents: 888n, ...BREAKS, ...LATER };

/** Yields copies of the value, each with one part changed. */
function* changes(value: unknown): Generator<unknown> {
  if (typeof value !== "object" || value === null) {
    yield typeof value === "number"
      ? value + 1
      : typeof value === "boolean"
        ? !value
        : `${String(value)}1`;
    return;
  }
  for (const [key, part] of Object.entries(value)) {
    for (const other of changes(part)) {
      yield Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
    }
  }
}

test("the signed hash covers every figure, each prize and the wallet's side", () => {
  const counts = [
    { ...PRIZE, state: "paid" },
    { ...PRIZE, prize_id: 2, state: "refused" },
  ] as const;
  const figures = sheetFigures(ROUND, counts, LISTED);
  const others = [...changes(figures)];
  expect(others.length).toBeGreaterThan(50);
  // Each changed copy differs from the figures in one value of the same type.
  const hashes = [figures, ...others].map((one) => sheetHash(one as SheetFigures));
  expect(new Set(hashes).size).toBe(hashes.length);
});

test("prizes differ by id, name or price, and a record without a payout is the difference", () => {
  const figures = sheetFigures(
    ROUND,
    [
      { ...PRIZE, state: "paid" },
      { ...PRIZE, state: "check", count: 2, cents: 1776n },
      { ...PRIZE, state: null },
      { ...PRIZE, state: "paid", award_name: "b" },
      { ...PRIZE, state: "paid", award_price_cents: 100, cents: 100n },
      { ...PRIZE, state: "paid", prize_id: 2 },
    ],
    { ...LISTED, count: 5, cents: 3000n },
  );
  const drawn = figures.prizes.map((one) => [one.award_name, one.award_price, one.drawn.count]);
  expect(drawn).toEqual([
    ["a", "8.88", 4],
    ["b", "8.88", 1],
    ["a", "1.00", 1],
    ["a", "8.88", 1],
  ]);
  expect(figures.difference).toEqual({ count: 1, amount: "8.88" });
  const { paid, unknown } = figures.prizes[0]?.lines ?? {};
  expect([paid?.amount, unknown?.amount]).toEqual(["8.88", "17.76"]);
  expect(figures.wallet.difference).toEqual({ count: -1, amount: "-2.36" });
});

test.each<[why: string | null, change: object, moving?: number, isOver?: boolean]>([
  [null, {}],
  ["sheet_differs", { difference: { count: 1, amount: "0.00" } }],
  ["sheet_differs", { difference: { count: 0, amount: "0.01" } }],
  ["sheet_round_runs", {}, 1, false],
  ["sheet_unsettled", { open_breaks: 1 }, 1],
  ["sheet_differs", { open_breaks: 1, covered: false }],
  ["sheet_not_reconciled", { covered: false, count: 0 }],
  ["sheet_differs", { count: 0, cents: 888n }],
  ["sheet_differs", { cents: 887n }],
])("a sheet is not signed for %s: %o", (why, change, moving = 0, isOver = true) => {
  const figures = sheetFigures(ROUND, [{ ...PRIZE, state: "paid" }], { ...LISTED, ...change });
  const { difference = figures.difference } = change as Partial<SheetFigures>;
  expect(notReady({ ...figures, difference }, moving, isOver)).toBe(why);
});
