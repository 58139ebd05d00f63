import { expect, it } from "vitest";
import { dayjs } from "#ui/wall-time.ts";
import { mergeInput } from "./merge.ts";

const base = { name: "旧", weight: "1", note: undefined, at: dayjs("2026-03-01 00:00:00") };

it("takes their changes, and keeps the operator's own", () => {
  const mine = { ...base, weight: "2" };
  const theirs = { ...base, name: "新", at: dayjs("2026-03-02 00:00:00") };
  const { values, changes } = mergeInput(base, mine, theirs);
  expect(values).toEqual({ ...theirs, weight: "2" });
  expect(changes).toEqual([
    { name: "name", before: "旧", mine: "旧", theirs: "新", kept: false },
    { name: "at", before: base.at, mine: base.at, theirs: theirs.at, kept: false },
  ]);
});

it("finds no conflict if both entered the same, or if a field stayed empty", () => {
  const same = mergeInput(base, { ...base, name: "同" }, { ...base, name: "同" });
  expect(same.changes).toEqual([
    { name: "name", before: "旧", mine: "同", theirs: "同", kept: false },
  ]);
  expect(mergeInput(base, { ...base, note: "" }, { ...base, note: null }).changes).toEqual([]);
});

it("keeps a field empty that the operator has cleared", () => {
  const { values } = mergeInput(base, { ...base, at: null }, { ...base, weight: "3" });
  expect(values).toEqual({ ...base, at: null, weight: "3" });
});
