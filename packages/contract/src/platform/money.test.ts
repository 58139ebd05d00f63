import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  AMOUNT_CENTS_MAX,
  formatCents,
  formatCentsShort,
  parseCents,
  sumAmounts,
} from "./money.ts";

describe("amounts", () => {
  test.each([
    ["0", 0],
    ["0.00", 0],
    ["8.8", 880],
    ["8.88", 888],
    ["120", 12_000],
    ["0.01", 1],
    ["9999999999.99", AMOUNT_CENTS_MAX],
  ])("%s is %d cents", (text, cents) => {
    expect(parseCents(text)).toBe(cents);
  });

  const NO_AMOUNTS = "| 1|1 |-1|+1|1.|.5|1.234|01|1e3|1,000|0x10|１２|NaN|Infinity|10000000000";
  test.each(NO_AMOUNTS.split("|"))("%j is no amount", (text) => {
    expect(parseCents(text)).toBeNull();
  });

  test("every amount survives formatting and parsing", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: AMOUNT_CENTS_MAX }), (cents) => {
        expect(parseCents(formatCents(cents))).toBe(cents);
        expect(parseCents(formatCentsShort(cents))).toBe(cents);
      }),
    );
  });

  test("negative differences keep their sign and two places", () => {
    expect(formatCents(-5)).toBe("-0.05");
    expect(formatCents(-12_345)).toBe("-123.45");
  });

  test("sums are exact beyond the safe integers", () => {
    const many = Array.from({ length: 100_000 }, () => "9999999999.99");
    expect(sumAmounts(many)).toBe("999999999999000.00");
    expect(sumAmounts([...many, "0.01"])).toBe("999999999999000.01");
    expect(sumAmounts(["8.8", "0.20", "none"])).toBe("9.00");
    expect(sumAmounts([])).toBe("0.00");
    expect(sumAmounts(["8.8", "***"])).toBe("***");
    expect(formatCents(-(2n ** 60n))).toBe("-11529215046068469.76");
  });

  test("fractions of a cent and unsafe numbers are refused", () => {
    expect(() => formatCents(0.5)).toThrow(RangeError);
    expect(() => formatCents(2 ** 53)).toThrow(RangeError);
  });
});
