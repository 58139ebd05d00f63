import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, test } from "vitest";
import { DigitsInput } from "./digits-input.tsx";

function Field({ before }: { before: string }) {
  const [value, setValue] = useState(before);
  return <DigitsInput value={value} onChange={setValue} aria-label="权重" maxLength={5} />;
}

describe("accepts or rejects input", () => {
  test.each([
    ["digits", "", "500", "500"],
    ["full-width digits", "", "１００", "100"],
    ["thousands separated by a space", "", " 12 000\t", "12000"],
    ["thousands in groups", "", "1,000", "1000"],
    ["a fraction", "", "1.5", ""],
    ["an exponent", "12", "1e5", "12"],
    ["a sign before", "", "-4", ""],
    ["an amount in groups", "", "1,000.50", ""],
    ["a fault behind digits", "12", "12a", "12"],
    ["a digit more than there may be", "12345", "123456", "12345"],
    ["less", "12", "1", "1"],
    ["nothing", "12", "", ""],
  ])("%s", (_, before, text, kept) => {
    const { unmount } = render(<Field before={before} />);
    const field = screen.getByLabelText<HTMLInputElement>("权重");
    fireEvent.change(field, { target: { value: text } });
    expect(field.value).toBe(kept);
    unmount();
  });
});
