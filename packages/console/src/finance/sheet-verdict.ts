/** Chooses the sentences above a sheet (behaviour §6). */
import type { Sheet } from "@red/contract/finance/sheet";

export type Figure = Sheet["difference"];

export function isNothing({ count, amount }: Figure): boolean {
  return count === 0 && amount === "0.00";
}

/**
 * Returns a text key that says whether the figures of the round agree, also with the wallet. Accepted differences are
 * only mentioned if all figures agree, because a sheet whose figures differ cannot be signed.
 */
export function sheetVerdict({
  difference,
  wallet,
  statement,
}: Pick<Sheet, "difference" | "wallet" | "statement">) {
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

/** Returns a text key that says how much of the paid payouts the statements cover. */
export function sheetCoverage(covered: boolean, statement: Sheet["statement"]) {
  if (covered) {
    return statement.until === null ? "covered" : "covered_until";
  }
  if (statement.until === null) {
    return "not_compared";
  }
  return statement.later.count > 0 ? "later" : "not_covered";
}
