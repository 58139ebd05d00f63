/** The wallet's statement as an uploaded file (behaviour §6). */
import { parseDateTime, parseRfc3339 } from "@red/contract/platform/datetime";
import { EXTERNAL_ID_LENGTH_MAX, STATEMENT_FILE_ROWS_MAX } from "@red/contract/platform/limits";
import { parseCents } from "@red/contract/platform/money";
import type { RowFault } from "@red/contract/pools/prize";
import { text } from "@red/contract/platform/texts";
import type { Language } from "@red/contract/platform/texts";
import type { StatementEntry } from "./reconciliation-sql.ts";
import type { ReadRow, TableColumn } from "#tables/parse-table";
import { readTable } from "#tables/read-table";
import { shown } from "#tables/input-sheet";

/** All valid rows and all errors. One error rejects the whole file. */
export interface StatementFile {
  readonly rows: readonly StatementEntry[];
  readonly faults: readonly RowFault[];
}

const LABELS = {
  trans_sn: "流水号",
  amount: "面额",
  player_id: "玩家ID",
  paid_at: "到账时间",
  wallet_ref: "钱包单号",
} as const;

const COLUMNS: readonly TableColumn[] = Object.entries(LABELS).map(([field, label]) => ({
  field,
  label,
  required: field !== "wallet_ref",
}));

const MESSAGES = {
  trans_sn: "not_an_id",
  amount: "not_an_amount",
  player_id: "not_an_id",
  paid_at: "not_a_date_time",
} as const;

/** Parses RFC 3339, or a time in the business time zone. */
function instantOf(value: string, timeZone: string): Date | null {
  return parseRfc3339(value) ?? parseDateTime(value.replace("T", " "), timeZone);
}

function isId(value: string): boolean {
  return value.length > 0 && value.length <= EXTERNAL_ID_LENGTH_MAX;
}

function readRow(
  { texts }: ReadRow,
  timeZone: string,
): StatementEntry | { readonly wrong: keyof typeof MESSAGES } {
  const { trans_sn = "", amount = "", player_id = "", paid_at = "", wallet_ref = "" } = texts;
  const amount_cents = parseCents(amount);
  const instant = instantOf(paid_at, timeZone);
  if (!isId(trans_sn)) {
    return { wrong: "trans_sn" };
  }
  if (amount_cents === null) {
    return { wrong: "amount" };
  }
  if (!isId(player_id)) {
    return { wrong: "player_id" };
  }
  if (instant === null) {
    return { wrong: "paid_at" };
  }
  const reference = wallet_ref === "" ? null : wallet_ref;
  return { trans_sn, amount_cents, player_id, paid_at: instant, wallet_ref: reference };
}

/**
 * Reads a statement with one row per payment; a column heading is a field name or a label. Throws as
 * `readTable` does, and returns the errors in cells.
 */
export async function readStatementFile(
  bytes: Buffer,
  timeZone: string,
  language: Language,
): Promise<StatementFile> {
  const table = await readTable(bytes, COLUMNS, STATEMENT_FILE_ROWS_MAX);
  const faults: RowFault[] = table.faults.map(({ key, values, ...place }) => ({
    ...place,
    msg: text(key, language, values),
  }));
  const rows: StatementEntry[] = [];
  for (const read of table.rows) {
    const row = readRow(read, timeZone);
    if ("wrong" in row) {
      const { wrong: column } = row;
      const value = shown(read.texts[column] ?? "");
      const field = LABELS[column];
      faults.push({
        row: read.row,
        column,
        value,
        msg: text(MESSAGES[column], language, { field }),
      });
    } else {
      rows.push(row);
    }
  }
  return { rows, faults };
}
