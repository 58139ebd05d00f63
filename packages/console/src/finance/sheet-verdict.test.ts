import { describe, expect, it } from "vitest";
import type { Sheet } from "@red/contract/finance/sheet";
import { sheetCoverage, sheetVerdict } from "./sheet-verdict.ts";

const NOTHING = { count: 0, amount: "0.00" };
const SOME = { count: 24, amount: "259.12" };
const UNTIL = "2026-11-22 03:14:00";

type Given = Pick<Sheet, "difference" | "wallet" | "statement">;

function given(
  wallet: Partial<Given["wallet"]>,
  statement: Partial<Given["statement"]> = {},
  difference = NOTHING,
): Given {
  return {
    difference,
    wallet: { covered: true, listed: SOME, difference: NOTHING, open_breaks: 0, ...wallet },
    statement: { until: UNTIL, later: NOTHING, accepted_breaks: 0, ...statement },
  };
}

describe("the sentence above a sheet", () => {
  it.each([
    ["ties_out", given({})],
    ["ties_out_accepted", given({}, { accepted_breaks: 1 })],
    // A sheet whose figures differ cannot be signed, even with accepted differences.
    ["differs", given({ difference: SOME })],
    ["differs", given({ difference: SOME }, { accepted_breaks: 3 })],
    ["ties_out_uncovered", given({ covered: false, difference: SOME }, { later: SOME })],
    ["ties_out_uncovered", given({ covered: false }, { accepted_breaks: 1 })],
    ["off", given({ open_breaks: 1 }, { accepted_breaks: 1 })],
    ["off", given({ covered: false }, {}, SOME)],
  ] as const)("%s", (verdict, sheet) => {
    expect(sheetVerdict(sheet)).toBe(verdict);
  });
});

describe("the coverage by statements", () => {
  it.each([
    ["covered", given({}, { until: null })],
    ["covered_until", given({})],
    ["not_compared", given({ covered: false }, { until: null })],
    ["later", given({ covered: false }, { later: SOME })],
    ["not_covered", given({ covered: false })],
  ] as const)("%s", (coverage, sheet) => {
    expect(sheetCoverage(sheet.wallet.covered, sheet.statement)).toBe(coverage);
  });
});
