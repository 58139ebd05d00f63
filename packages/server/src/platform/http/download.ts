import type { Table } from "#tables/output-table";
import { csvOf } from "#tables/csv-writer";
import { xlsxOf } from "#tables/xlsx-writer";
import type { Download } from "#platform/handlers";

const FORMATS = {
  xlsx: {
    type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    write: (table: Table) => xlsxOf(table),
  },
  csv: { type: "text/csv; charset=utf-8", write: csvOf },
} as const;

export const typeOf = (filename: string): string =>
  FORMATS[filename.endsWith(".csv") ? "csv" : "xlsx"].type;

/** Creates a workbook with a sheet for each table. `name` has no file ending. */
export function workbookDownload(name: string, tables: readonly Table[]): Download {
  return { filename: `${name}.xlsx`, type: FORMATS.xlsx.type, content: xlsxOf(...tables) };
}

/** `name` has no file ending. */
export function tableDownload(name: string, format: keyof typeof FORMATS, table: Table): Download {
  const { type, write } = FORMATS[format];
  let rows = 0;
  async function* counted() {
    for await (const page of table.pages) {
      rows += page.length;
      yield page;
    }
  }
  const content = write({ ...table, pages: counted() });
  return { filename: `${name}.${format}`, type, content, rows: () => rows };
}
