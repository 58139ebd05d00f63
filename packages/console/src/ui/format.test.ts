import { expect, it } from "vitest";
import { grouped, odds, percent } from "./format.ts";

it.each([
  ["0.00", "0.00"],
  ["1234567.80", "1,234,567.80"],
  ["-1234.50", "-1,234.50"],
  [1284, "1,284"],
  ["999", "999"],
])("groups %s as %s", (value, text) => {
  expect(grouped(value)).toBe(text);
});

it.each([
  [0.125, "12.50%"],
  [1, "100.00%"],
  [0, "0.00%"],
  [0.0001, "0.01%"],
  [0.00000123, "0.000123%"],
])("writes the share %f as %s", (share, text) => {
  expect(percent(share)).toBe(text);
});

it.each([
  [0.3, "1/3.3"],
  [0.125, "1/8"],
  [0.00012, "1/8,333"],
  [0, ""],
  [0.96, ""],
])("writes the odds of %f as %s", (share, text) => {
  expect(odds(share)).toBe(text);
});
