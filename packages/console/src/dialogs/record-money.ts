/** Sums of records, in whole cents. */
import { formatCents, parseCents } from "@red/contract/money";
import type { DrawRecord } from "@red/contract/record";
import { grouped } from "#ui/format.ts";

/** Σ award_price, written as in tables. */
export function moneyOf(records: readonly Pick<DrawRecord, "award_price">[]): string {
  const cents = records.reduce((sum, { award_price }) => sum + (parseCents(award_price) ?? 0), 0);
  return grouped(formatCents(cents));
}
