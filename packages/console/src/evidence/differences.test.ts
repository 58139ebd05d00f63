import { expect, test } from "vitest";
import { AUDIT_ACTS, AUDIT_TYPES } from "@red/contract/evidence/audit-acts";
import { fieldWord } from "@red/contract/evidence/audit-words";
import { PAYOUT_STATES } from "@red/contract/platform/codes";
import type { Route } from "@red/contract/platform/route";
import { ROUTES } from "@red/contract/routes";
import * as z from "zod/mini";
import { valueWord } from "./audit-words.ts";
import { differencesOf } from "./differences.ts";

test("equal fields are left out, new and removed ones have one side", () => {
  expect(differencesOf({ a: 1, b: "x", c: null, e: [] }, { a: 2, b: "x", d: [1, 2] })).toEqual([
    { of: null, field: "a", was: 1, is: 2 },
    { of: null, field: "d", was: null, is: [1, 2] },
  ]);
  expect(differencesOf(null, { name: "n" })).toEqual([
    { of: null, field: "name", was: null, is: "n" },
  ]);
  expect(differencesOf(null, null)).toEqual([]);
  expect(differencesOf({ log_ids: [3] }, { log_ids: [3] })).toHaveLength(1);
});

test("entries of a list are compared by id, under their name", () => {
  const before = {
    prizes: [
      { id: 7, award_name: "cup", weight: 3 },
      { id: 8, award_name: "old", weight: 1 },
    ],
  };
  const after = {
    prizes: [
      { id: 7, award_name: "cup", weight: 4 },
      { id: 9, award_name: "new", weight: 5 },
    ],
  };
  expect(differencesOf(before, after)).toEqual([
    { of: "cup", field: "weight", was: 3, is: 4 },
    { of: "new", field: "award_name", was: null, is: "new" },
    { of: "new", field: "weight", was: null, is: 5 },
    { of: "old", field: "award_name", was: "old", is: null },
    { of: "old", field: "weight", was: 1, is: null },
  ]);
});

test("entries without an id, which a plan will create, stand under their name and their pool's", () => {
  const before = { prizes: [{ id: 7, award_name: "cup", weight: 3 }] };
  const made = { award_name: "cup", weight: 5 };
  const elsewhere = { pool_name: "p", award_name: "cup" };
  const after = { prizes: [{ id: 7, award_name: "mug", weight: 3 }, made, elsewhere] };
  expect(differencesOf(before, after)).toEqual([
    { of: "mug", field: "award_name", was: "cup", is: "mug" },
    { of: "cup", field: "award_name", was: null, is: "cup" },
    { of: "cup", field: "weight", was: null, is: 5 },
    { of: "p · cup", field: "pool_name", was: null, is: "p" },
    { of: "p · cup", field: "award_name", was: null, is: "cup" },
  ]);
});

test("codes become words, one by one in lists; a value without a word stays as it is", () => {
  expect(valueWord("roles", ["viewer", "risk"], "en")).toBe("Read-only, Risk");
  expect(valueWord("rounds_status", 0, "zh")).toBe("暂停");
  expect(valueWord("disabled", true, "en")).toBe("yes");
  expect(valueWord("weight", 7, "en")).toBe("7");
  expect(valueWord("prizes", [{ id: 1 }], "en")).toBe("Number 1");
  const stopped = [{ name: "draws", reason: "halt", stopped_by: "x" }, { name: "payouts" }];
  expect(valueWord("stopped", stopped, "en")).toBe("draws Reason halt, payouts");
  expect(valueWord("setting", "band_reason", "en")).toBe("Reason from");
  expect(valueWord("download", "/gred/api/act/41/sheet/export", "zh")).toBe("活动对账表 41");
  expect(valueWord("permission", "operator.manage", "zh")).toBe("管理操作员");
  expect(valueWord("lines", { unknown: { count: 1 } }, "zh")).toBe("结果待确认 数量 1");
  expect(valueWord("kind", "stale_status", "zh")).toBe("状态未更新");
  expect(fieldWord("own_expiry", "zh")).toBe("单独的过期时间");
  expect(fieldWord("no such field", "zh")).toBeNull();
});

test.each([
  ["payout_state", "paid,refused", "已到账、被拒绝", "Paid, Refused"],
  ["award_status", "2", "失败", "Failed"],
  ["type", "2234", "体育", "Sports"],
  ["action", "pause_activity", "暂停活动", "Activity paused"],
  ["object_type", "activity", "活动", "Activity"],
  ["query", { kind: "betlog", type: 2234 }, "数据 投注 平台 体育", "Data bets Platform Sports"],
  ["stopped", [{ name: "pool", reason: "x" }], "本池抽奖 原因 x", "draws from the pool Reason x"],
  ["condition_formula", "0", "不适用", "Not applicable"],
  ["condition_type", "0", "不适用", "Not applicable"],
  ["page", "event_bet", "投注查询", "Bets"],
  ["extra_time", "batch 7", "批次 7", "Batch 7"],
  ["note", "paid,refused", "paid,refused", "paid,refused"],
])("%s %j becomes words", (field, value, zh, en) => {
  expect([valueWord(field, value, "zh"), valueWord(field, value, "en")]).toEqual([zh, en]);
});

/** Codes of filters whose schema accepts any text. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  payout_state: PAYOUT_STATES,
  action: AUDIT_ACTS.map(({ action }) => action),
  object_type: [...AUDIT_TYPES.keys()].map(String),
};

function choicesOf({ query = z.object() }: Route): [field: string, code: unknown][] {
  const { properties = {} } = z.toJSONSchema(query, { unrepresentable: "any" });
  return Object.entries(properties).flatMap(([field, one]) =>
    (OPEN[field] ?? Object(one).enum ?? []).map((code: unknown) => [field, code]),
  );
}

test("each choice of a filter has its words", () => {
  // The audit log stores the filters of downloads, and jobs create the same files.
  const choices = Object.values(ROUTES)
    .flatMap((routes) => Object.values<Route>(routes))
    .filter(({ access }) => access === "download")
    .flatMap(choicesOf);
  expect(choices).toContainEqual(["channel", 9]);
  const raw = choices.filter(([field, code]) => valueWord(field, code, "zh") === String(code));
  // The names of formats are equal in all languages.
  expect([...new Set(raw.map(([field]) => field))]).toEqual(["format"]);
});
