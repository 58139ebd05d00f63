import { describe, expect, test } from "vitest";
import {
  CHANNEL_CODES,
  CHANNELS,
  CLIENT_CODES,
  CLIENTS,
  PLATFORM_CODES,
  PLATFORMS,
  PRESETS,
  SINGLE_PLATFORM_CODES,
  SINGLE_PLATFORMS,
  TASK_TYPE_CODES,
  TASK_TYPES,
} from "./lookups.ts";

const numbers = (table: object) => Object.keys(table).map(Number);

describe("look-up tables", () => {
  test("name exactly the codes that the schemas accept", () => {
    expect(numbers(PLATFORMS)).toEqual(PLATFORM_CODES);
    expect(numbers(CHANNELS)).toEqual(CHANNEL_CODES);
    expect(numbers(CLIENTS)).toEqual(CLIENT_CODES);
    expect(numbers(SINGLE_PLATFORMS)).toEqual(SINGLE_PLATFORM_CODES);
    expect(numbers(TASK_TYPES)).toEqual(TASK_TYPE_CODES);
  });

  test("label a single platform like its code; there is no fourth", () => {
    expect(numbers(SINGLE_PLATFORMS)).toEqual([1, 2, 3, 5, 6, 7]);
    const byFirstDigit = PLATFORM_CODES.map((code) => [String(code).slice(0, 1), PLATFORMS[code]]);
    expect(Object.entries(SINGLE_PLATFORMS)).toEqual(byFirstDigit);
  });

  test("have six task types: a deposit, and existing platforms", () => {
    const [deposit, ...turnovers] = Object.values(TASK_TYPES);
    expect(numbers(TASK_TYPES)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(deposit).toBe("deposit");
    expect(Object.values(PLATFORMS)).toEqual(expect.arrayContaining(turnovers));
    expect(new Set(turnovers).size).toBe(5);
  });

  test("match each preset with its code", () => {
    expect(PRESETS).toHaveLength(10);
    for (const { code, condition_formula, condition_type, condition_name } of PRESETS) {
      expect(code).toBe(
        condition_formula === "0"
          ? condition_name
          : [condition_formula, condition_type, condition_name].join(","),
      );
    }
  });
});
