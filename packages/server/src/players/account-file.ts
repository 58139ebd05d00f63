/** Reads a file of accounts (behaviour §3): a table with an account column, or a plain list. */
import { badInput } from "@red/contract/platform/errors";
import { EXTRA_TIMES_PER_CALL_MAX } from "@red/contract/platform/limits";
import { text } from "@red/contract/platform/texts";
import type { Language } from "@red/contract/platform/texts";
import type { TableColumn } from "#tables/parse-table";
import { readTable } from "#tables/read-table";

const COLUMNS: readonly TableColumn[] = [
  { field: "user_name", label: "账号", required: true, isBare: true },
  { field: "expire_time", label: "过期时间", required: false },
];

/**
 * Returns one line per account; its own expiry follows after a tab. Throws the errors of readTable,
 * and bad_input with every unreadable cell.
 */
export async function readAccountLines(bytes: Buffer, language: Language): Promise<string[]> {
  const { rows, faults } = await readTable(bytes, COLUMNS, EXTRA_TIMES_PER_CALL_MAX);
  const [first, ...more] = faults.map(({ row, key, values }) => {
    const msg = text("at_row", language, { row, words: text(key, language, values) });
    return { field: "file", msg };
  });
  if (first !== undefined) {
    throw badInput([first, ...more]);
  }
  return rows.map(({ texts: { user_name = "", expire_time = "" } }) =>
    expire_time === "" ? user_name : `${user_name}\t${expire_time}`,
  );
}
