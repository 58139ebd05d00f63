import { expect, test } from "vitest";
import { plainAmount, plainNumber } from "./plain-number.ts";

test.each([
  ["1,000.00", "1000.00"],
  ["８８", "88"],
  ["８，８８８．５０", "8888.50"],
  [" 12 000 ", "12000"],
  ["9,999,999,999.99", "9999999999.99"],
  ["1,000.", "1000."],
  ["8.80", "8.80"],
  ["1,00", "1,00"],
  ["1,000 000", "1,000 000"],
  ["1.5e3", "1.5e3"],
  ["12 34", "12 34"],
  ["", ""],
])("%s is %s", (text, plain) => {
  expect(plainNumber(text)).toBe(plain);
});

test.each([
  ["88元", "88"],
  ["¥88", "88"],
  ["¥1,200.50", "1200.50"],
  ["８８元", "88"],
  ["元", "元"],
  ["88美元", "88美元"],
])("as an amount, %s is %s", (text, plain) => {
  expect(plainAmount(text)).toBe(plain);
});
