import { UPLOAD_BYTES_MAX } from "@red/contract/limits";
import { expect, it } from "vitest";
import { figuresAfter } from "#rounds/pool-math.ts";
import { faultOfFile, faultsCsv } from "./prize-file.ts";

it.each([
  ["prizes.csv", 10, null],
  ["奖品.XLSX", UPLOAD_BYTES_MAX - 1, null],
  ["old.xls", 0, null],
  ["prizes.csv.exe", 10, "type"],
  ["csv", 10, "type"],
  ["prizes.xlsx", UPLOAD_BYTES_MAX, "size"],
])("judges %s of %i bytes: %s", (name, size, fault) => {
  expect(faultOfFile({ name, size })).toBe(fault);
});

it("writes faults as csv that no spreadsheet takes for formulas", () => {
  const fault = { row: 3, column: "权重", value: '=1+"2"', msg: "必须是整数" };
  expect(faultsCsv(["行", "列", "内容", "原因"], [fault])).toBe(
    '\uFEFF"行","列","内容","原因"\r\n"3","权重","\'=1+""2""","必须是整数"\r\n',
  );
});

it("works out what the next draw costs after an import, from what would be left", () => {
  const prize = { floors: 0, change: "unchanged" } as const;
  const figures = figuresAfter([
    { ...prize, award_name: "a", award_price: "1.00", weight: 3, award_total: 10, drawn: 0 },
    { ...prize, award_name: "b", award_price: "9.00", weight: 1, award_total: 5, drawn: 5 },
  ]);
  expect(figures).toMatchObject({ remaining: 10, average: "1.00" });
});
