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
    ["digits", "", "500", "500", null],
    ["full-width digits", "", "５０", "50", null],
    ["digits with spaces around", "", " 500\t", "500", null],
    ["thousands in groups", "", "1,000", "1000", null],
    ["millions in groups", "", "1，000,000", "1000000", null],
    ["a fraction", "", "1.5", "1", "."],
    ["letters between", "", "1a2b", "1", "a"],
    ["a sign before", "", "-4e5", "", "-"],
    ["an amount in groups", "", "1,000.50", "1", ","],
    ["groups that are none", "", "1,5", "1", ","],
    ["a fault behind digits", "12", "123.4", "123", "."],
    ["a fault in the midst", "12", "13.42", "12", "."],
    ["digits in the midst", "12", "1342", "1342", null],
    ["less", "12", "1", "1", null],
    ["nothing", "12", "", "", null],
  ])("%s", (_, before, text, digits, refused) => {
    expect(takenDigits(before, text)).toEqual({ digits, refused });
  });
});

function Field() {
  const [value, setValue] = useState("");
  return <DigitsInput value={value} onChange={setValue} aria-label="权重" />;
}

function typed(keys: string): string {
  render(<Field />);
  const field = screen.getByLabelText<HTMLInputElement>("权重");
  for (const key of keys) {
    fireEvent.change(field, { target: { value: field.value + key } });
  }
  return field.value;
}

it("does not take what is typed on behind a character that it refused, and says so", () => {
  expect(typed("1.5")).toBe("1");
  expect(screen.getByText("只能填写数字，从「.」起没有填入")).toBeDefined();
});

it("goes on after something was deleted, and once it was left", () => {
  expect(typed("12a3")).toBe("12");
  const field = screen.getByLabelText<HTMLInputElement>("权重");
  fireEvent.change(field, { target: { value: "1" } });
  expect(screen.queryByText(/只能填写数字/)).toBeNull();
  fireEvent.change(field, { target: { value: "15" } });
  expect(field.value).toBe("15");
  fireEvent.change(field, { target: { value: "15." } });
  fireEvent.blur(field);
  fireEvent.change(field, { target: { value: "156" } });
  expect(field.value).toBe("156");
});
