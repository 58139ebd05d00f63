import { describe, expect, it } from "vitest";
import { activityCreate } from "@red/contract/rounds/activity";
import type { Activity } from "@red/contract/rounds/activity";
import { PRESETS } from "@red/contract/platform/codes";
import { presetOf, stateOf } from "./activity-state.ts";
import { bodyOf, limitOf, missingOf, ruleOf, saveEffect, valuesOf } from "./activity-values.ts";
import { ROUND } from "#test/fixtures.ts";

const ACTIVITY: Activity = { ...ROUND, end_time: "2026-11-21 02:00:00" };

describe("the body of a form", () => {
  it("equals the activity that was loaded, and passes the contract", () => {
    const body = bodyOf(valuesOf(ROUND));
    const { id: _id, act_id: _act, version: _version, rounds_status: _on, ...others } = ROUND;
    const { pool_gate: _gate, ...form } = others;
    expect(body).toEqual(form);
    expect(activityCreate.safeParse(body).success).toBe(true);
  });

  it.each(["0", "3"] as const)("has value 0 and no codes with condition %s", (condition_name) => {
    const body = bodyOf({ ...valuesOf(ACTIVITY), condition_name });
    expect(body).toMatchObject({
      condition_name,
      condition_value: "0",
      condition_formula: "0",
      condition_type: "0",
    });
    expect(activityCreate.safeParse(body).success).toBe(true);
  });
});

it("has limits, and platforms only with bets", () => {
  const bets = { ...ACTIVITY, condition_name: "1", draws_max: 5, platforms: [1234, 7234] } as const;
  const values = valuesOf({ ...bets, platforms: [...bets.platforms] });
  expect(bodyOf(values)).toMatchObject({
    draws_max: 5,
    day_draws_max: null,
    platforms: [1234, 7234],
  });
  expect(bodyOf({ ...values, condition_name: "2" })).toMatchObject({
    draws_max: 5,
    platforms: null,
  });
  const texts = ["", "1", "1000000", "0", "1000001", "1.5", "-1"];
  expect(texts.map(limitOf)).toEqual([null, 1, 1_000_000, ...texts.slice(3).map(() => undefined)]);
});

it.each(PRESETS)("finds the preset $key by its codes", (preset) => {
  expect(presetOf(preset)?.key).toBe(preset.key);
});

it("finds no preset for an incomplete choice", () => {
  expect(presetOf({ condition_name: "2", condition_formula: "1" })).toBeUndefined();
});

it.each([
  ["2026-11-20 19:59:59", 1, "waiting"],
  ["2026-11-20 20:00:00", 1, "running"],
  ["2026-11-21 02:00:00", 1, "running"],
  ["2026-11-21 02:00:01", 1, "ended"],
  ["2026-11-20 21:00:00", 0, "paused"],
  ["2026-11-22 00:00:00", 0, "ended"],
] as const)("at %s with status %i it is %s", (now, rounds_status, state) => {
  expect(stateOf({ ...ACTIVITY, rounds_status }, now)).toBe(state);
});

it.each([
  ["2026-11-20 10:00:00", 1, { kind: "later", at: "20:00" }],
  ["2026-11-19 10:00:00", 1, { kind: "later", at: "11-20 20:00" }],
  ["2026-11-20 20:00:00", 1, { kind: "now" }],
  ["2026-11-20 21:00:00", 0, { kind: "paused" }],
  ["2026-11-22 00:00:00", 1, { kind: "ended" }],
] as const)("saving at %s with status %i says what it does", (now, status, effect) => {
  expect(saveEffect(ACTIVITY, now, status)).toEqual(effect);
});

it("names no start while a time is missing", () => {
  const times = { ...ACTIVITY, end_time: "" };
  expect(saveEffect(times, "2026-11-20 10:00:00", 1)).toEqual({ kind: "plain" });
});

describe("the fields missing for the rule's sentence", () => {
  const whole = valuesOf(ACTIVITY);

  it("are none once the rule is complete, which has its value in cents", () => {
    expect(missingOf(whole)).toEqual([]);
    expect(ruleOf(whole)).toMatchObject({ condition_value_cents: 12_000, pool_name: "周末池" });
  });

  it.each(missingOf({}))("include %s when it is empty", (field) => {
    const { [field]: _gone, ...rest } = whole;
    expect([missingOf(rest), ruleOf(rest)]).toEqual([[field], null]);
  });

  it.each(["0", "0.00", "abc", ""])("include a value of “%s”", (condition_value) => {
    const values = { ...whole, condition_value };
    expect([missingOf(values), ruleOf(values)]).toEqual([["condition_value"], null]);
  });

  it.each(["0", "1.5"])("include a limit of “%s”, and nothing else", (day_draws_max) => {
    const values = { ...whole, day_draws_max };
    expect([missingOf(values), ruleOf(values)]).toEqual([["day_draws_max"], null]);
  });

  it.each(["0", "3"] as const)("are only those that condition %s has", (condition_name) => {
    const { condition_formula: _f, condition_type: _t, condition_value: _v, ...others } = whole;
    const { turnover: _gone, ...values } = { ...others, condition_name };
    expect(missingOf(values)).toEqual(["turnover"]);
    expect(ruleOf({ ...values, turnover: 1 })).not.toBeNull();
  });
});
