import type { SheetFigures } from "@red/contract/sheet";
import { notReady, sheetFigures, sheetHash } from "./round-sheet.ts";
import { expect, test } from "vitest";

/** The value with one of its parts changed, for each part. */
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
  const prize = { prize_id: 1, award_name: "a", award_price_cents: 888, cents: 888n, count: 1 };
  const times = { start_time: "2026-11-20 20:00:00", end_time: "2026-11-20 22:00:00" };
  const listed = { covered: true, open_breaks: 0, count: 1, cents: 888n, accepted_breaks: 0 };
  const figures = sheetFigures(
    { rounds_id: 1, rounds_name: "r", ...times },
    [
      { ...prize, state: "paid" },
      { ...prize, prize_id: 2, state: "refused" },
    ],
    { ...listed, until: null, later_count: 0, later_cents: 0n },
  );
  const others = [...changes(figures)];
  expect(others.length).toBeGreaterThan(50);
  // Each is the figures except for one value of the same type.
  const hashes = [figures, ...others].map((one) => sheetHash(one as SheetFigures));
  expect(new Set(hashes).size).toBe(hashes.length);
});

test.each<[why: string | null, change: object, moving?: number, isOver?: boolean]>([
  [null, {}],
  ["sheet_round_runs", {}, 1, false],
  ["sheet_unsettled", { open_breaks: 1 }, 1],
  ["sheet_differs", { open_breaks: 1, covered: false }],
  ["sheet_not_reconciled", { covered: false, count: 0 }],
  ["sheet_differs", { count: 0, cents: 888n }],
  ["sheet_differs", { cents: 887n }],
])("a sheet is not signed for %s: %o", (why, change, moving = 0, isOver = true) => {
  const prize = { prize_id: 1, award_name: "a", award_price_cents: 888, cents: 888n, count: 1 };
  const round = { rounds_id: 1, rounds_name: "r", start_time: "", end_time: "" };
  const listed = { covered: true, open_breaks: 0, count: 1, cents: 888n, accepted_breaks: 0 };
  const statement = { ...listed, until: null, later_count: 0, later_cents: 0n, ...change };
  const figures = sheetFigures(round, [{ ...prize, state: "paid" }], statement);
  expect(notReady(figures, moving, isOver)).toBe(why);
});
