/** Writes CSV that Chinese Excel can open: UTF-8 with BOM, CRLF, RFC 4180 quotes. */
import { Readable } from "node:stream";
import type { Cell, Table } from "./output-table.ts";

const BOM = "\uFEFF";
const CHUNK_CHARACTERS = 65_536;

/* Spreadsheets run text that starts like this as a formula. Some spreadsheets first convert full-width signs. */
const FORMULA_START = /^[\s"']*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Removes the apostrophe that this writer puts before text that looks like a formula. */
export function unguarded(text: string): string {
  return text.startsWith("'") && FORMULA_START.test(text.slice(1)) ? text.slice(1) : text;
}

/** Matches most texts: they neither start a formula nor need quotes. */
const PLAIN = /^[\w\u3400-\u9FFF][\w\u3400-\u9FFF .:-]*$/;

function quoted(text: string): string {
  if (PLAIN.test(text)) {
    return text;
  }
  const safe = FORMULA_START.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function field(cell: Cell): string {
  if (typeof cell === "string") {
    return quoted(cell);
  }
  return cell === null ? "" : String(cell.number);
}

async function* lines(table: Table): AsyncGenerator<string> {
  let chunk = `${BOM}${table.labels.map(quoted).join(",")}\r\n`;
  for await (const page of table.pages) {
    for (const row of page) {
      let comma = "";
      for (const cell of row) {
        chunk += comma + field(cell);
        comma = ",";
      }
      chunk += "\r\n";
      if (chunk.length >= CHUNK_CHARACTERS) {
        yield chunk;
        chunk = "";
      }
    }
  }
  yield chunk;
}

/** Streams the table. Text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvOf(table: Table): Readable {
  return Readable.from(lines(table), { objectMode: false });
}
