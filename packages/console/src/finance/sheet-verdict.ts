/** The sentences above a sheet (behaviour §6). */
import type { Sheet } from "@red/contract/finance/sheet";

export interface Figure {
  readonly count: number;
  readonly amount: string;
}

export function isNothing({ count, amount }: Figure): boolean {
  return count === 0 && amount === "0.00";
}

export type SheetVerdict =
  | "off"
  | "ties_out_uncovered"
  | "differs"
  | "ties_out"
  | "ties_out_accepted";

/**
 * Whether the round ties out, also with the wallet. Accepted differences are mentioned only if there are some
 * and all figures agree: a sheet whose figures differ cannot be signed.
 */
export function sheetVerdict(
  sheet: Pick<Sheet, "difference" | "wallet" | "statement">,
): SheetVerdict {
  const { difference, wallet, statement } = sheet;
  if (!isNothing(difference) || wallet.open_breaks > 0) {
    return "off";
  }
  if (!wallet.covered) {
    return "ties_out_uncovered";
  }
  if (!isNothing(wallet.difference)) {
    return "differs";
  }
  return statement.accepted_breaks > 0 ? "ties_out_accepted" : "ties_out";
}

export type SheetCoverage = "covered" | "covered_until" | "not_compared" | "later" | "not_covered";

/** How much of what was paid the statements cover. */
export function sheetCoverage(covered: boolean, statement: Sheet["statement"]): SheetCoverage {
  if (covered) {
    return statement.until === null ? "covered" : "covered_until";
  }
  if (statement.until === null) {
    return "not_compared";
  }
  return statement.later.count > 0 ? "later" : "not_covered";
}
