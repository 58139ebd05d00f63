import { expect, test } from "vitest";
import * as z from "zod/mini";
import { exclusionRow } from "./exclusion.ts";
import { faultsOf } from "./faults.ts";
import { EXCLUSION_KINDS } from "./lookups.ts";

test.each(EXCLUSION_KINDS)("%s may be without end, unless it is a cooling-off", (kind) => {
  const row = { user_name: "u", kind, reason: "r" };
  const refused = [{ field: "until", msg: "冷静期要有截止时间" }];
  for (const endless of [row, { ...row, until: null }]) {
    const { error } = z.safeParse(exclusionRow, endless);
    expect(error ? faultsOf(error.issues) : []).toEqual(kind === "cooling_off" ? refused : []);
  }
  expect(z.safeParse(exclusionRow, { ...row, until: "2099-01-01 00:00:00" }).success).toBe(true);
});
