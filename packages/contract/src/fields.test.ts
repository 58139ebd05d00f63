/** What is said of input that is wrong, where a wrong sentence would send somebody the wrong way. */
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { activityCreate } from "./activity.ts";
import { faultsOf } from "./faults.ts";
import { id, wholeNumber } from "./fields.ts";
import { olderRoutes } from "./older.ts";
import { recordRoutes } from "./record.ts";
import { loginBody } from "./session.ts";

function faults(schema: z.ZodMiniType, input: unknown): string[] {
  const result = z.safeParse(schema, input);
  return result.success ? [] : faultsOf(result.error.issues).map(({ msg }) => msg);
}

const RANGE = "id 必须在 1 到 9007199254740991 之间";
const WHOLE = "id 必须是整数";
const MISSING = "id 必填";

describe("a whole number", () => {
  test.each([
    [undefined, MISSING],
    [null, MISSING],
    ["", MISSING],
    ["abc", WHOLE],
    [" 1", WHOLE],
    ["1.5", WHOLE],
    [1.5, WHOLE],
    [true, WHOLE],
    [{}, WHOLE],
    [0, RANGE],
    ["0", RANGE],
    [-1, RANGE],
    // 2^53 and beyond, as a number and as digits: whole, and still not one of ours.
    [Number.MAX_SAFE_INTEGER + 1, RANGE],
    ["9007199254740992", RANGE],
    ["9007199254740993", RANGE],
    ["99999999999999999999", RANGE],
    ["9".repeat(400), RANGE],
    [1e300, RANGE],
  ])("of %s is told once as %s", (value, msg) => {
    expect(faults(z.object({ id: id() }), { id: value })).toEqual([msg]);
  });

  test("is taken to the last one that a number holds", () => {
    expect(z.parse(id(), "9007199254740991")).toBe(Number.MAX_SAFE_INTEGER);
    expect(z.parse(id(), Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
    expect(z.parse(wholeNumber(0, 5), "005")).toBe(5);
  });
});

describe("ids of records", () => {
  const many = Array.from({ length: 10_001 }, (_, at) => at + 1);
  const CHOOSE = "请选择要补发用户";
  const TOO_MANY = "log_ids 最多 10000 项";
  const LIST = "log_ids 必须是编号，多个以逗号分隔";

  test.each([
    [undefined, CHOOSE],
    [null, CHOOSE],
    ["", CHOOSE],
    [[], CHOOSE],
    [many, TOO_MANY],
    [many.join(","), TOO_MANY],
    [["x"], LIST],
    ["1,,2", LIST],
    [true, LIST],
    [["9007199254740993"], "log_ids.0 必须在 1 到 9007199254740991 之间"],
  ])("that are %s are told as %s", (log_ids, msg) => {
    expect(faults(recordRoutes.reissue.body, { log_ids })).toEqual([msg]);
  });

  test("of the older call are told by its own name", () => {
    const { body } = olderRoutes.addBonus;
    expect(faults(body, {})).toEqual([CHOOSE]);
    expect(faults(body, { id: "x" })).toEqual(["id 必须是编号，多个以逗号分隔"]);
    expect(faults(body, { id: many })).toEqual(["id 最多 10000 项"]);
  });
});

describe("signing in", () => {
  const NAME = "Please enter username";
  const PASSWORD = "Please enter password";

  test.each([
    [{}, [NAME, PASSWORD]],
    [{ username: "", password: "" }, [NAME, PASSWORD]],
    [{ username: "  ", password: "x" }, [NAME]],
    [{ password: "x" }, [NAME]],
    [{ username: "x" }, [PASSWORD]],
    [{ name: "x" }, [PASSWORD]],
    [{ name: "x", password: null }, [PASSWORD]],
    [{ name: "x", password: "y" }, []],
  ])("with %j misses %j, the name first", (body, missing) => {
    expect(faults(loginBody, body)).toEqual(missing);
  });
});

describe("an activity", () => {
  const good = {
    rounds_name: "周末红包A",
    tag: "weekend",
    red_code: "RED_PACKET",
    pool_name: "周末池",
    condition_name: "0",
    condition_value: "0",
    condition_times: 1,
    turnover: 3,
    achieve_start_time: "2026-11-20 00:00:00",
    achieve_end_time: "2026-11-20 23:59:59",
    start_time: "2026-11-20 20:00:00",
    end_time: "2026-11-20 22:00:00",
  };

  test.each([0, "0", 2, "", null, "on"])("is not made with the status %j", (rounds_status) => {
    expect(faults(activityCreate, { ...good, rounds_status })).toEqual(["新活动只能是启用状态"]);
  });

  test.each([
    ["start_time", "end_time"],
    ["achieve_start_time", "achieve_end_time"],
  ] as const)("may last for one second, but %s is not after %s", (start, end) => {
    expect(faults(activityCreate, { ...good, [end]: good[start] })).toEqual([]);
    const early = { ...good, [end]: "2026-11-19 00:00:00" };
    expect(faults(activityCreate, early)).toEqual(["结束时间不能早于开始时间"]);
  });
});
