/** Tables as downloads. */
import type { Table } from "#tables/output-table";
import { csvOf } from "#tables/csv-writer";
import { xlsxOf } from "#tables/xlsx-writer";
import type { Download } from "./handlers.ts";

const FORMATS = {
  xlsx: {
    type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    write: xlsxOf,
  },
  csv: { type: "text/csv; charset=utf-8", write: csvOf },
} as const;

/** `name` without its ending. */
export function tableDownload(name: string, format: keyof typeof FORMATS, table: Table): Download {
  const { type, write } = FORMATS[format];
  return { filename: `${name}.${format}`, type, content: write(table) };
}
