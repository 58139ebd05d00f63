/** What is said of input that is wrong, where a wrong sentence would send somebody the wrong way. */
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { activityCreate, activityRoutes } from "./activity.ts";
import { drawRoutes } from "./draw.ts";
import { faultsOf } from "./faults.ts";
import {
  amount,
  date,
  dateTime,
  filterText,
  id,
  name,
  trimmedText,
  wholeNumber,
} from "./fields.ts";
import { ingestRoutes } from "./ingest.ts";
import { olderRoutes } from "./older.ts";
import { prizeRoutes } from "./prize.ts";
import { reconciliationSpan } from "./reconciliation.ts";
import { recordRoutes } from "./record.ts";
import { loginBody } from "./session.ts";
import { ticketRoutes } from "./ticket.ts";

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

describe("a name", () => {
  const schema = z.object({ pool_name: name("enter_pool_name", 64) });

  test.each([
    ["\u200b", "请填写奖池名称"],
    ["\ufeff \u2060", "请填写奖池名称"],
    ["a\u200bb", "pool_name 含有看不见的字符（U+200B），请删除后重新输入"],
    ["\u3164", "pool_name 含有看不见的字符（U+3164），请删除后重新输入"],
    ["a\u{e0061}b", "pool_name 含有看不见的字符（U+E0061），请删除后重新输入"],
    ["a\u200d b", "pool_name 含有看不见的字符（U+200D），请删除后重新输入"],
    ["a\u200bb\u0000", "pool_name 含有不允许的字符"],
  ])("of %j is told once as %s", (pool_name, msg) => {
    expect(faults(schema, { pool_name })).toEqual([msg]);
  });

  test.each([
    "👨\u200d👩\u200d👧",
    "👁\ufe0f\u200d🗨\ufe0f",
    "می\u200cخواهم",
    "क्\u200dष",
    "葛\u{e0100}",
  ])("may be %s, whose parts are joined", (pool_name) => {
    expect(z.parse(schema, { pool_name })).toEqual({ pool_name });
  });

  test("loses what pasting has left around it, however much that is", () => {
    const around = "\ufeff\u200b \u202a".repeat(100_000);
    expect(z.parse(schema, { pool_name: `${around}周末池${around}` }).pool_name).toBe("周末池");
    expect(faults(schema, { pool_name: `a${around}b` })).toContain("pool_name 最多 64 个字符");
  });

  test("that is looked for may hold anything that can be sent to the database", () => {
    const account = z.object({ user_name: trimmedText("enter_account", 64), more: filterText() });
    const pasted = { user_name: "\u202apl\u200bayer01\u202c", more: "\u200bx\ufeff" };
    expect(z.parse(account, pasted)).toEqual({ user_name: "pl\u200bayer01", more: "x" });
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

describe("a time", () => {
  const YEAR = (field: string) => `${field} 的年份必须在 1970 到 9998 之间`;

  test.each([
    ["9999-12-31 23:59:59", YEAR("at")],
    ["1969-12-31 00:00:00", YEAR("at")],
    ["9999-02-29 00:00:00", "at 必须是 yyyy-MM-dd HH:mm:ss 时间"],
    ["2026-11-31 00:00:00", "at 必须是 yyyy-MM-dd HH:mm:ss 时间"],
  ])("of %s is told as %s", (at, msg) => {
    expect(faults(z.object({ at: dateTime() }), { at })).toEqual([msg]);
  });

  test.each([
    ["9999-12-31", YEAR("day")],
    ["1969-12-31", YEAR("day")],
    ["9999-02-29", "day 必须是 yyyy-MM-dd 日期"],
  ])("of the day %s is told as %s", (day, msg) => {
    expect(faults(z.object({ day: date() }), { day })).toEqual([msg]);
  });
});

describe("an amount", () => {
  test.each([
    [undefined, "请填写奖品额度"],
    ["", "请填写奖品额度"],
    [" ", "请填写奖品额度"],
    ["-1", "award_price 必须是最多两位小数的金额"],
    ["1.005", "award_price 必须是最多两位小数的金额"],
  ])("of %j is told once as %s", (award_price, msg) => {
    expect(faults(z.object({ award_price: amount("enter_award_price") }), { award_price })).toEqual(
      [msg],
    );
  });
});

describe("a span", () => {
  test("with a start that is no day is not told that its end comes too early", () => {
    const told = (from: string) => faults(reconciliationSpan, { from, to: "2026-11-01 00:00:00" });
    expect(told("2026-11-31 00:00:00")).toEqual(["from 必须是 yyyy-MM-dd HH:mm:ss 时间"]);
    expect(told("2026-11-02 00:00:00")).toEqual(["结束时间不能早于开始时间"]);
  });
});

describe("what is left out, or is of another kind, is told in its own words:", () => {
  const { list, totals, exportFile } = prizeRoutes;

  test.each([list.query, totals.query, exportFile.query])("a pool that is not named", (query) => {
    for (const input of [{}, { pool_name: "" }, { pool_name: " " }, { pool_name: null }]) {
      expect(faults(query, input)).toEqual(["请选择奖池"]);
    }
    expect(faults(query, { pool_name: ["a"] })).toEqual(["pool_name 必须是文本"]);
  });

  test.each<[string, z.ZodMiniType, object, string[]]>([
    ["pause", activityRoutes.pause.body, {}, ["rounds_status 必填"]],
    ["pause", activityRoutes.pause.body, { rounds_status: 7 }, ["rounds_status 不在可选范围内"]],
    ["ticket", ticketRoutes.create.body, {}, ["path 必填", "query 必填"]],
    ["ticket", ticketRoutes.create.body, { path: 7, query: {} }, ["path 必须是文本"]],
    ["ticket", ticketRoutes.create.body, { query: "x" }, ["path 必填", "query 必须是对象"]],
    [
      "ticket",
      ticketRoutes.create.body,
      { path: "/a", query: { ["x".repeat(65)]: "", "\u0000": "" }, more: 1 },
      [
        `query.${"x".repeat(65)} 最多 64 个字符`,
        "query.\u0000 含有不允许的字符",
        "不认识的字段 more",
      ],
    ],
    ["draws", drawRoutes.batch.body, {}, ["draws 必填"]],
    ["draws", drawRoutes.batch.body, { draws: {} }, ["draws 必须是列表"]],
    ["deposits", ingestRoutes.deposits.body, { deposits: "x" }, ["deposits 必须是列表"]],
    ["deposits", ingestRoutes.deposits.body, { deposits: null }, ["deposits 必填"]],
  ])("%s", (_name, body, input, msgs) => {
    expect(faults(body, input)).toEqual(msgs);
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
