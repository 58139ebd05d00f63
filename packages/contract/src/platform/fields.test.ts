/** Tests messages about wrong input, because a misleading message makes people correct the wrong thing. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { faultsOf } from "./faults.ts";
import {
  amount,
  code,
  date,
  dateTime,
  externalId,
  filterText,
  freeText,
  id,
  name,
  numberCode,
  platformAmount,
  trimmedText,
  wholeNumber,
} from "./fields.ts";
import { formatCents } from "./money.ts";
import { prizeRoutes } from "#pools/prize";
import { reconciliationSpan } from "#finance/reconciliation";
import { recordRoutes } from "#records/record";
import { loginBody } from "#identity/session";
import { ticketRoutes } from "#identity/ticket";

function faults(schema: z.ZodMiniType, input: unknown): string[] {
  const result = z.safeParse(schema, input);
  return result.success ? [] : faultsOf(result.error.issues).map(({ msg }) => msg);
}

/** Texts that look like numbers but are not written with digits alone. */
const NO_DIGITS = `
+1|1.0|1.|.5|1.5|1e3|1E3|0x10|0b11|0o17|1_000|1,000|1.000,00|1'000|１２|٣|१२|²|½|Ⅷ|一|①|−1|NaN|Infinity|null
undefined|true|abc|12abc|--1|1-|$1|¥1|1%|1;|-0|1 000| 1 |1 |\t1|1\u00a0|1\u0000|\u200b1|1\u202e2|1' or '1'='1`
  .slice(1)
  .split(/[|\n]/)
  .concat("1\n");

const RANGE = "id 必须在 1 到 9007199254740991 之间";
const WHOLE = "id 必须是整数";

describe("a whole number", () => {
  test.each<[unknown, string]>([
    [" 1", WHOLE],
    [true, WHOLE],
    [{}, WHOLE],
    ["0", RANGE],
    // From 2^53 on, as digits or as a number: the value is whole, but out of range.
    ["9007199254740992", RANGE],
    ["9007199254740993", RANGE],
    ["99999999999999999999", RANGE],
    ["9".repeat(400), RANGE],
    [1e300, RANGE],
    [Number.POSITIVE_INFINITY, WHOLE],
    [Number.NaN, WHOLE],
    [5e-324, WHOLE],
    ["-1", RANGE],
    ...NO_DIGITS.map((text): [string, string] => [text, WHOLE]),
  ])("of %s is told once as %s", (value, msg) => {
    expect(faults(z.object({ id: id() }), { id: value })).toEqual([msg]);
  });

  test("is accepted exactly when it is digits or a whole number, and in range", () => {
    const numbers = fc.oneof(fc.integer({ min: -9, max: 99 }), fc.double({ min: -9, max: 99 }));
    const texts = fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom(...NO_DIGITS));
    fc.assert(
      fc.property(fc.oneof(numbers, numbers.map(String), texts), (input) => {
        const isWhole = typeof input === "number" ? Number.isInteger(input) : /^\d+$/.test(input);
        const isGood = isWhole && Number(input) >= 5 && Number(input) <= 70;
        expect(z.safeParse(wholeNumber(5, 70), input).success).toBe(isGood);
      }),
    );
  });

  test("may begin with zeros", () => {
    expect(z.parse(wholeNumber(0, 5), "005")).toBe(5);
  });
});

/* Control characters, lone surrogates, direction overrides and noncharacters. */
const UNPRINTABLE =
  "\u0000 \u0007 \u001b \u007f \u0085 \ud800 \udc00 \u202d \u202e \u2067 \ue000 \ue001 \ufffe \uffff";

const ODD_TEXTS = `
周末红包|<script>alert(1)</script>|{field}|';--|%_\\%|a\\|{a,b}|{NULL}|{"a":1}|%00|=1+1|../../etc/passwd|null|NaN
__proto__|-1|é|e\u0301|ﬁ①Å|ＡＢＣ|İstanbul|مرحبا|שלום|สวัสดี|🧧|👨\u200d👩\u200d👧|🇨🇳|\u2764\ufe0f|می\u200cخواهم|𠮷𡈽
葛\u{e0100}|\ue002|a\ufffdb|a  b|a\u00a0b|a\u3000b|a${"\u0301".repeat(40)}`
  .slice(1)
  .split(/[|\n]/);

describe("a text", () => {
  test.each<[string, z.ZodMiniType<string>]>([
    ["of a name", name("enter_tag", 64)],
    ["that is looked for", trimmedText("enter_tag", 64)],
    ["of somebody else", externalId()],
    ["that may be empty", freeText(64)],
    ["of a filter", filterText()],
  ])("%s is kept to the letter, or refused for what cannot be printed", (_what, schema) => {
    for (const odd of ODD_TEXTS) {
      expect(z.parse(schema, odd)).toBe(odd);
    }
    for (const character of [...UNPRINTABLE.split(" "), "\t", "\n", "\r"]) {
      expect(faults(z.object({ x: schema }), { x: `a${character}b` })).toEqual([
        "x 含有不允许的字符",
      ]);
    }
  });
});

describe("a code", () => {
  test.each<[string, z.ZodMiniType]>([
    ["as text", code(["1", "2"])],
    ["as number", numberCode([1, 2])],
  ])("answered %s is one of its set, as text or number, and nothing like it", (_what, schema) => {
    const object = z.object({ x: schema });
    for (const input of [0, 3, 1.5, "01", "1.0", " 1", "1\n", "１", true, [1], ["1"], {}, "x"]) {
      expect(faults(object, { x: input }), JSON.stringify(input)).toEqual(["x 不在可选范围内"]);
    }
    expect([1, "1", 2].map((input) => String(z.parse(schema, input)))).toEqual(["1", "1", "2"]);
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

  test("is trimmed of what pasting left around it, however long", () => {
    const around = "\ufeff\u200b \u202a".repeat(100_000);
    expect(z.parse(schema, { pool_name: `${around}周末池${around}` }).pool_name).toBe("周末池");
    expect(faults(schema, { pool_name: `a${around}b` })).toContain("pool_name 最多 64 个字符");
  });

  test("as a filter may hold anything that the database accepts", () => {
    const account = z.object({ user_name: trimmedText("enter_account", 64), more: filterText() });
    const pasted = { user_name: "\u202apl\u200bayer01\u202c", more: "\u200bx\ufeff" };
    expect(z.parse(account, pasted)).toEqual({ user_name: "pl\u200bayer01", more: "x" });
  });
});

describe("ids of records", () => {
  const LIST = "log_ids 必须是编号，多个以逗号分隔";

  test.each<[unknown, string]>([
    ...[{}, 1.5, [[]], [{}], [null], [1.5], [""], [1, null]].map(
      (odd) => [odd, LIST] as [unknown, string],
    ),
    ..."abc , 1,2, １ -1 1.5 [1] 1;2".split(" ").map((odd) => [odd, LIST] as [unknown, string]),
    [["9007199254740993"], "log_ids.0 必须在 1 到 9007199254740991 之间"],
  ])("that are %s are told as %s", (log_ids, msg) => {
    expect(faults(recordRoutes.reissue.body, { log_ids })).toEqual([msg]);
  });
});

describe("signing in", () => {
  const NAME = "Please enter username";
  const PASSWORD = "Please enter password";

  test.each([
    [{}, [NAME, PASSWORD]],
    [{ name: "x" }, [PASSWORD]],
    [{ name: "x", password: "y" }, []],
  ])("with %j misses %j, the name first", (body, missing) => {
    expect(faults(loginBody, body)).toEqual(missing);
  });
});

describe("a time", () => {
  const YEAR = "at 的年份必须在 1970 到 9998 之间";

  test.each([
    [dateTime(), "9999-12-31 23:59:59", YEAR],
    [dateTime(), "9999-02-29 00:00:00", "at 必须是 yyyy-MM-dd HH:mm:ss 时间"],
    [date(), "9999-12-31", YEAR],
    [date(), "9999-02-29", "at 必须是 yyyy-MM-dd 日期"],
  ])("of a year that is none of ours is told of it when it is a real one", (schema, at, msg) => {
    expect(faults(z.object({ at: schema }), { at })).toEqual([msg]);
  });
});

describe("an amount", () => {
  test.each<[unknown, string]>([
    [" ", "请填写奖品额度"],
    [1.005, "award_price 必须是最多两位小数的金额"],
    [1e21, "award_price 必须是最多两位小数的金额"],
    ["00.5", "award_price 必须是最多两位小数的金额"],
    ...NO_DIGITS.filter((text) => !/^\s*[\d.]+\s*$/.test(text)).map(
      (text) => [text, "award_price 必须是最多两位小数的金额"] as [unknown, string],
    ),
  ])("of %j is told once as %s", (award_price, msg) => {
    expect(faults(z.object({ award_price: amount("enter_award_price") }), { award_price })).toEqual(
      [msg],
    );
  });
});

test("an amount of a platform is decimal text, to the cent, not a number", () => {
  const schema = z.object({ x: platformAmount(1) });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), (cents) => {
      expect(z.parse(schema, { x: formatCents(cents) })).toEqual({ x: cents });
      expect(z.parse(amount("required"), formatCents(cents))).toBe(cents);
    }),
  );
});

describe("a span", () => {
  test("with an invalid start is not reported as ending too early", () => {
    const told = (from: string) => faults(reconciliationSpan, { from, to: "2026-11-01 00:00:00" });
    expect(told("2026-11-31 00:00:00")).toEqual(["from 必须是 yyyy-MM-dd HH:mm:ss 时间"]);
    expect(told("2026-11-02 00:00:00")).toEqual(["结束时间不能早于开始时间"]);
  });
});

describe("a missing or mistyped value has its own message:", () => {
  const { list, totals, exportFile } = prizeRoutes;

  test.each([list.query, totals.query, exportFile.query])("a pool that is not named", (query) => {
    for (const input of [{}, { pool_name: "" }, { pool_name: " " }, { pool_name: null }]) {
      expect(faults(query, input)).toEqual(["请选择奖池"]);
    }
    expect(faults(query, { pool_name: ["a"] })).toEqual(["pool_name 必须是文本"]);
  });

  test("names of a ticket's filters", () => {
    const query = { ["x".repeat(65)]: "", "\u0000": "" };
    expect(faults(ticketRoutes.create.body, { path: "/a", query, more: 1 })).toEqual([
      `query.${"x".repeat(65)} 最多 64 个字符`,
      "query.\u0000 含有不允许的字符",
      "不认识的字段 more",
    ]);
  });
});
