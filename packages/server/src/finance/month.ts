/** The rounds of a month and their sheets (behaviour §6). */
import { parseDateTime, formatDateTime } from "@red/contract/platform/datetime";
import { AppError } from "@red/contract/platform/errors";
import type { Month, MonthRound } from "@red/contract/finance/month";
import { formatCents } from "@red/contract/platform/money";
import { SHEET_LINES } from "@red/contract/finance/sheet";
import type { SheetFigures } from "@red/contract/finance/sheet";
import { text } from "@red/contract/platform/texts";
import type { Language } from "@red/contract/platform/texts";
import type { Db } from "#platform/db/connection";
import { selectRoundsEnded, selectSignOffs } from "./sheet-sql.ts";
import { readSheet } from "./sign-sheet.ts";

type Sums = Month["total"];
type Sum = Sums["drawn"];
type RoundSums = Pick<MonthRound, keyof Sums>;

function sumOf(all: readonly (Sum | null)[]): Sum {
  const known = all.filter((one) => one !== null);
  return {
    count: known.reduce((sum, { count }) => sum + count, 0),
    // Every amount has two decimals, so an amount without its decimal point is in cents. A difference may be negative.
    amount: formatCents(
      known.reduce((sum, { amount }) => sum + BigInt(amount.replace(".", "")), 0n),
    ),
  };
}

/**
 * Returns the totals of all rounds of a month. The difference includes only rounds that were compared with the wallet.
 */
export function totalOf(rounds: readonly RoundSums[]): Sums {
  const lines = SHEET_LINES.map((line) => [line, sumOf(rounds.map((one) => one.lines[line]))]);
  return {
    drawn: sumOf(rounds.map(({ drawn }) => drawn)),
    // The cast is safe: every line is a key.
    lines: Object.fromEntries(lines) as Sums["lines"],
    open: sumOf(rounds.map(({ open }) => open)),
    difference: sumOf(rounds.map(({ difference }) => difference)),
  };
}

/** Returns the start of a month `yyyy-MM` and the start of the next month. */
function spanOf(month: string, timeZone: string): readonly [Date, Date] {
  const [year = 0, number = 0] = month.split("-").map(Number);
  const next = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, "0")}`;
  const [from, to] = [month, next].map((one) => parseDateTime(`${one}-01 00:00:00`, timeZone));
  if (!from || !to) {
    throw new AppError("activity_out_of_dates");
  }
  return [from, to];
}

/** Returns the month `yyyy-MM` before the month of `instant`. */
export function monthBefore(instant: Date, timeZone: string): string {
  const [from] = spanOf(formatDateTime(instant, timeZone).slice(0, 7), timeZone);
  return formatDateTime(new Date(from.getTime() - 1), timeZone).slice(0, 7);
}

export interface MonthSheet extends MonthRound {
  readonly prizes: SheetFigures["prizes"];
}

/**
 * Returns the sheets of the rounds that ended in the month, sorted by end time. Deleted rounds are included
 * if they have records.
 */
export async function readMonth(
  db: Db,
  month: string,
  timeZone: string,
  language: Language,
): Promise<MonthSheet[]> {
  const sheets: MonthSheet[] = [];
  for (const rounds_id of await selectRoundsEnded(db, ...spanOf(month, timeZone))) {
    const { figures, statement, hash, not_ready } = await readSheet(db, rounds_id, timeZone);
    const [last] = await selectSignOffs(db, rounds_id);
    const { rounds_name, start_time, end_time, drawn, lines, prizes, wallet } = figures;
    sheets.push({
      rounds_id,
      rounds_name,
      start_time,
      end_time,
      drawn,
      lines,
      prizes,
      open: sumOf([lines.pending, lines.unknown, lines.refused]),
      difference: wallet.covered || statement.until !== null ? wallet.difference : null,
      covered: wallet.covered,
      open_breaks: wallet.open_breaks,
      statement,
      hash,
      not_ready: not_ready && text(not_ready, language),
      signed:
        last === undefined
          ? null
          : {
              by: last.signed_by,
              at: formatDateTime(last.signed_at, timeZone),
              is_current: last.hash === hash,
            },
    });
  }
  return sheets;
}
