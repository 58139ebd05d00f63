/** Maps violated constraints to errors for the caller. A violated constraint that is not listed here is a defect. */
import { AppError } from "@red/contract/platform/errors";
import type { ErrorKey } from "@red/contract/platform/errors";
import pg from "pg";

const MEANING: Readonly<Record<string, ErrorKey>> = {
  activity__name_unique: "activity_name_taken",
  activity__tag_known: "tag_unknown",
  pool__name_unique: "pool_name_taken",
  prize__name_unique: "prize_name_taken",
  saved_view__name_unique: "view_name_taken",
};

export function hasSqlState(fault: unknown, ...states: readonly string[]): boolean {
  return fault instanceof pg.DatabaseError && states.includes(fault.code ?? "");
}

/** Returns null unless the error violates a listed constraint. */
export function meaningOf(fault: unknown): AppError | null {
  if (!(fault instanceof pg.DatabaseError) || fault.constraint === undefined) {
    return null;
  }
  const key = MEANING[fault.constraint];
  return key === undefined ? null : new AppError(key);
}
