import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import i18next from "i18next";
import { useState } from "react";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, describe, expect, it, test } from "vitest";
import { DigitsInput, takenDigits } from "./digits-input.tsx";
import { UI_TEXTS } from "./ui-texts.ts";

beforeAll(async () => {
  const interpolation = { prefix: "{", suffix: "}", escapeValue: false };
  const resources = { zh: { ui: UI_TEXTS.zh } };
  await i18next.use(initReactI18next).init({ lng: "zh", resources, interpolation });
});

afterEach(cleanup);

describe("of what is put in", () => {
  test.each([
    ["digits", "", "500", "500", false],
    ["full-width digits", "", "１００", "100", false],
    ["digits with spaces around", "", " 100\t", "100", false],
    ["thousands parted by a space", "", "12 000", "12000", false],
    ["thousands in groups", "", "1,000", "1000", false],
    ["thousands in full-width groups", "", "1，000", "1000", false],
    ["a fraction", "", "1.5", "", true],
    ["an exponent", "", "1e5", "", true],
    ["letters behind", "", "12abc", "", true],
    ["a sign before", "", "-4", "", true],
    ["an amount in groups", "", "1,000.50", "", true],
    ["groups that are none", "", "1,5", "", true],
    ["two numbers", "", "12 34", "", true],
    ["a fault behind digits", "12", "123.4", "12", true],
    ["a fault in the midst", "12", "13.42", "12", true],
    ["another number instead", "12", "1e5", "12", true],
    ["digits in the midst", "12", "1342", "1342", false],
    ["as many digits as there may be", "1", "12345", "12345", false],
    ["a digit more than there may be", "12345", "123456", "12345", true],
    ["a longer number than there may be", "", "12 000 000", "", true],
    ["less", "12", "1", "1", false],
    ["nothing", "12", "", "", false],
  ])("%s", (_, before, text, digits, refused) => {
    expect(takenDigits(before, text, 5)).toEqual({ digits, refused });
  });
});

const HINT = "未全部填入：只能填数字，最多 10 位";

function Field() {
  const [value, setValue] = useState("");
  return <DigitsInput value={value} onChange={setValue} aria-label="权重" maxLength={10} />;
}

function typed(...texts: readonly string[]): string {
  render(<Field />);
  const field = screen.getByLabelText<HTMLInputElement>("权重");
  for (const text of texts) {
    fireEvent.change(field, { target: { value: field.value + text } });
  }
  return field.value;
}

it("takes a digit behind a character that it refused, and goes on saying so", () => {
  expect(typed("1", ".", "5")).toBe("15");
  expect(screen.getByText(HINT)).toBeDefined();
  const field = screen.getByLabelText<HTMLInputElement>("权重");
  fireEvent.change(field, { target: { value: "1" } });
  expect(screen.queryByText(HINT)).toBeNull();
});

it.each([
  ["a letter", "a"],
  ["a pasted text", "12ab"],
])("takes the first digit behind %s", (_, refused) => {
  expect(typed(refused, "5")).toBe("5");
});

it("leaves what it held when something else is pasted over it", () => {
  expect(typed("1", "2")).toBe("12");
  const field = screen.getByLabelText<HTMLInputElement>("权重");
  fireEvent.change(field, { target: { value: "1e5" } });
  expect(field.value).toBe("12");
  expect(screen.getByText(HINT)).toBeDefined();
  fireEvent.change(field, { target: { value: "12 000" } });
  expect(field.value).toBe("12000");
  expect(screen.queryByText(HINT)).toBeNull();
});
