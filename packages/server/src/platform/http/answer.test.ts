import { AppError, badInput } from "@red/contract/platform/errors";
import { errorEnvelope } from "./answer.ts";
import { expect, it } from "vitest";

it("names the field that a conflict is about", () => {
  expect(errorEnvelope(new AppError("prize_name_taken"), "zh")).toEqual({
    code: 409,
    msg: "该奖池已有同名奖品",
    data: { errors: [{ field: "award_name", msg: "该奖池已有同名奖品" }] },
    key: "prize_name_taken",
  });
  const below = errorEnvelope(new AppError("prize_total_below_drawn", { drawn: 7 }), "zh");
  expect(below.data).toEqual({
    errors: [{ field: "award_total", msg: "奖品总数不能小于已抽出的 7" }],
  });
});

it("names no field for a conflict of the whole, and keeps an error's own data", () => {
  expect(errorEnvelope(new AppError("stale_version"), "zh").data).toBeNull();
  const faults = [{ field: "weight", msg: "请填写奖品权重" }] as const;
  expect(errorEnvelope(badInput(faults), "zh").data).toEqual({ errors: faults });
});
