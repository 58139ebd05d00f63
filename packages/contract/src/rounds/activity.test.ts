import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { activityCreate, activityUpdate } from "./activity.ts";
import { faultsOf } from "#platform/faults";
import { PRESETS } from "#platform/codes";
import { ACTIVITY_BODY as GOOD } from "#test/inputs";

function faults(input: unknown) {
  const result = z.safeParse(activityCreate, input);
  return result.success ? [] : faultsOf(result.error.issues);
}

describe("the activity form", () => {
  test("takes what the specification's client sends", () => {
    expect(faults({ ...GOOD, rounds_status: 1 })).toEqual([]);
    expect(faults({ ...GOOD, condition_name: 2, condition_times: "1", turnover: "3" })).toEqual([]);
    const result = z.safeParse(activityUpdate, { ...GOOD, id: 41, act_id: "41", version: 3 });
    expect(result.success).toBe(true);
  });

  test("an empty form reports its faults in field order", () => {
    expect(faults({}).map((fault) => fault.field)).toEqual([
      "rounds_name",
      "tag",
      "red_code",
      "pool_name",
      "condition_name",
      "condition_value",
      "condition_times",
      "condition_type",
      "turnover",
      "achieve_start_time",
      "achieve_end_time",
      "start_time",
      "end_time",
    ]);
  });

  test("asks for the repetition before the turnover, and only where there is a condition", () => {
    const neither = { ...GOOD, condition_type: undefined, turnover: undefined };
    expect(faults(neither).map(({ field }) => field)).toEqual(["condition_type", "turnover"]);
    for (const condition_name of ["0", "3", 0, 3]) {
      const open = { ...neither, condition_name, condition_value: 0 };
      expect(faults(open).map(({ field }) => field)).toEqual(["turnover"]);
    }
  });

  test("reports unknown fields last", () => {
    const both = { award: 1, ...GOOD, condition_type: "", end_time: "2026-11-20 19:59:59" };
    expect(faults(both).map(({ field }) => field)).toEqual(["condition_type", "end_time", "award"]);
  });

  test.each<[object, string]>([
    [{ start_time: "2026-11-31 20:00:00" }, "start_time"],
    [{ end_time: "2026-11-20 9:00:00" }, "end_time"],
    [{ achieve_start_time: "2026-11-31 00:00:00" }, "achieve_start_time"],
    [{ achieve_end_time: "1026" }, "achieve_end_time"],
    [{ condition_value: "-1" }, "condition_value"],
    // With deposits and bets, the value must be above 0.
    [{ condition_value: "0" }, "condition_value"],
    [{ condition_value: "" }, "condition_value"],
    [{ condition_formula: "7" }, "condition_formula"],
    [{ condition_type: "7" }, "condition_type"],
    [{ condition_name: "", condition_formula: "", condition_value: 0 }, "condition_name"],
    [{ condition_name: "7", condition_formula: null, condition_value: 0 }, "condition_name"],
  ])("%j is one fault and no second one", (change, field) => {
    expect(faults({ ...GOOD, ...change }).map((fault) => fault.field)).toEqual([field]);
  });

  test.each([
    ["start_time", "end_time"],
    ["achieve_start_time", "achieve_end_time"],
  ] as const)("may last for one second, but %s is not after %s", (start, end) => {
    expect(faults({ ...GOOD, [end]: GOOD[start] })).toEqual([]);
    expect(faults({ ...GOOD, [end]: "2026-11-19 00:00:00" })).toEqual([
      { field: end, msg: "结束时间不能早于开始时间" },
    ]);
  });

  test.each(PRESETS)("takes preset $key", (preset) => {
    const { condition_name, condition_formula, condition_type } = preset;
    const change = { condition_name, condition_formula, condition_type };
    expect(faults({ ...GOOD, ...change, condition_value: preset.value })).toEqual([]);
  });

  test.each(["0", "3"])("condition %s may leave formula and type empty", (condition_name) => {
    for (const none of ["", null, "0", 0, undefined]) {
      const change = { condition_name, condition_formula: none, condition_type: none };
      const result = z.safeParse(activityCreate, { ...GOOD, ...change, condition_value: 0 });
      expect(result.success && result.data.condition_formula).toBe("0");
    }
  });
});
