import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { DigitsInput } from "./digits-input.tsx";
import { plainAmount, plainNumber } from "./plain-number.ts";

function Field({ before }: { before: string }) {
  const [value, setValue] = useState(before);
  return <DigitsInput value={value} onChange={setValue} aria-label="权重" maxLength={5} />;
}

test.each([
  ["digits", "", "500", "500"],
  ["thousands separated by a space", "", " 12 000\t", "12000"],
  ["a fraction", "", "1.5", ""],
  ["an exponent", "12", "1e5", "12"],
  ["a sign before", "", "-4", ""],
  ["an amount in groups", "", "1,000.50", ""],
  ["a fault behind digits", "12", "12a", "12"],
  ["a digit more than there may be", "12345", "123456", "12345"],
  ["less", "12", "1", "1"],
  ["nothing", "12", "", ""],
])("a field accepts or ignores %s", (_, before, text, kept) => {
  render(<Field before={before} />);
  const field = screen.getByLabelText<HTMLInputElement>("权重");
  fireEvent.change(field, { target: { value: text } });
  expect(field.value).toBe(kept);
});

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
