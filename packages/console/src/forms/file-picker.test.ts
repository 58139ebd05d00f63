import { UPLOAD_BYTES_MAX } from "@red/contract/platform/limits";
import { expect, it } from "vitest";
import { faultOfFile } from "./file-picker.tsx";

it.each([
  ["prizes.csv", 10, null],
  ["奖品.XLSX", UPLOAD_BYTES_MAX - 1, null],
  ["old.xls", 0, null],
  ["prizes.csv.exe", 10, "upload_type"],
  ["csv", 10, "upload_type"],
  ["prizes.xlsx", UPLOAD_BYTES_MAX, "upload_too_large"],
])("judges %s of %i bytes: %s", (name, size, fault) => {
  expect(faultOfFile({ name, size })).toBe(fault);
});
