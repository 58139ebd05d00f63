/** The rounds of a month: their sheets, signed together, and one file (behaviour §6). */
import { parseDateTime, formatDateTime } from "@red/contract/datetime";
import { AppError } from "@red/contract/errors";
import type { ErrorKey } from "@red/contract/errors";
import type { Month, MonthRound } from "@red/contract/month";
import { formatCents } from "@red/contract/money";
import { SHEET_LINES } from "@red/contract/sheet";
import type { SheetFigures } from "@red/contract/sheet";
import { text } from "@red/contract/texts";
import type { Language } from "@red/contract/texts";
import { confirmCode } from "#identity/confirm-code";
import type { CodeProof, CodeVerdict } from "#identity/confirm-code";
import type { Actor } from "#platform/audit";
import type { Db, Tx } from "#platform/connection";
import type { SecretBox } from "#platform/secret-box";
import { selectRoundsEnded, selectSignOffs } from "./sheet-sql.ts";
import { lockReadySheet, readSheet, storeSignature } from "./sign-sheet.ts";
import type { SheetSignature } from "./sign-sheet.ts";

type Sums = Month["total"];
type Sum = Sums["drawn"];
type RoundSums = Pick<MonthRound, keyof Sums>;

function added(first: Sum, second: Sum): Sum {
  // Two places each: without the point they are cents.
  const cents = ({ amount }: Sum) => BigInt(amount.replace(".", ""));
  return {
    count: first.count + second.count,
    amount: formatCents(cents(first) + cents(second)),
  };
}

const NOTHING: Sum = { count: 0, amount: "0.00" };

function sumOf(all: readonly RoundSums[], read: (sums: RoundSums) => Sum): Sum {
  return all.reduce((sum, one) => added(sum, read(one)), NOTHING);
}

/** The sums of a month's rounds; the difference of those that were compared with the wallet. */
export function totalOf(rounds: readonly RoundSums[]): Sums {
  const lines = SHEET_LINES.map((line) => [line, sumOf(rounds, (one) => one.lines[line])]);
  return {
    drawn: sumOf(rounds, ({ drawn }) => drawn),
    // Every line is a key.
    lines: Object.fromEntries(lines) as Sums["lines"],
    open: sumOf(rounds, ({ open }) => open),
    difference: sumOf(rounds, ({ difference }) => difference ?? NOTHING),
  };
}

/** The first instants of a month `yyyy-MM` and of the next one. */
function spanOf(month: string, timeZone: string): readonly [Date, Date] {
  const [year = 0, number = 0] = month.split("-").map(Number);
  const next = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, "0")}`;
  const [from, to] = [month, next].map((one) => parseDateTime(`${one}-01 00:00:00`, timeZone));
  if (!from || !to) {
    throw new AppError("activity_out_of_dates");
  }
  return [from, to];
}

/** The month `yyyy-MM` before the one of an instant. */
export function monthBefore(instant: Date, timeZone: string): string {
  const [from] = spanOf(formatDateTime(instant, timeZone).slice(0, 7), timeZone);
  return formatDateTime(new Date(from.getTime() - 1), timeZone).slice(0, 7);
}

export interface MonthSheet extends MonthRound {
  readonly prizes: SheetFigures["prizes"];
}

/** The sheets of the rounds that ended in the month, deleted ones too if they have records; by their end. */
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
      open: [lines.pending, lines.unknown, lines.refused].reduce(added),
      difference: wallet.covered || statement.until !== null ? wallet.difference : null,
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

export interface MonthSigned {
  readonly verdict: CodeVerdict;
  readonly signed: number;
  readonly refused: readonly { readonly rounds_id: number; readonly key: ErrorKey }[];
}

/**
 * Signs the sheets whose figures are still those that the operator saw, with one code. The others are left out and
 * named. Locks the rounds by id, then the code. The transaction must commit whatever the verdict. Throws the reason of
 * the first one, as `lockReadySheet` does, before the code, if all would be left out.
 */
export async function signSheets(
  tx: Tx,
  secrets: SecretBox,
  actor: Actor,
  sheets: readonly SheetSignature[],
  proof: CodeProof,
  { timeZone, now }: { readonly timeZone: string; readonly now: Date },
): Promise<MonthSigned> {
  const ready: { signature: SheetSignature; figures: SheetFigures }[] = [];
  const refused: { rounds_id: number; key: ErrorKey }[] = [];
  const wanted = new Map(sheets.map((one) => [one.rounds_id, one]));
  for (const [rounds_id, signature] of [...wanted].toSorted(([a], [b]) => a - b)) {
    try {
      ready.push({ signature, figures: await lockReadySheet(tx, signature, timeZone) });
    } catch (error) {
      if (!(error instanceof AppError)) {
        throw error;
      }
      refused.push({ rounds_id, key: error.key });
    }
  }
  const [first] = refused;
  if (ready.length === 0 && first !== undefined) {
    throw new AppError(first.key);
  }
  const verdict = await confirmCode(tx, secrets, actor, proof, now);
  if (verdict !== "right") {
    return { verdict, signed: 0, refused };
  }
  for (const { signature, figures } of ready) {
    await storeSignature(tx, actor, signature, proof.name, figures);
  }
  return { verdict, signed: ready.length, refused };
}
