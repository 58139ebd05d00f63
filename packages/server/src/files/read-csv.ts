/** Reads csv: UTF-8, GB18030 or UTF-16 with BOM; separated by comma, semicolon or tab. */
import { AppError } from "@red/contract/errors";
import Papa from "papaparse";
import { unguarded } from "./csv-writer.ts";
import { shown } from "./sheet.ts";
import type { ReadFault, Sheet } from "./sheet.ts";

const DELIMITERS = [",", ";", "\t"] as const;

/** Rows that are looked at to find the delimiter. */
const HEAD_ROWS = 20;

/* Text has none of these; pictures, programs and archives do. */
// oxlint-disable-next-line no-control-regex -- the control characters are what gives it away
const BINARY = /[\u0000-\u0008\u000E-\u001F]/;

/* Web pages and drawings, PDF, rich text: text that is no table. */
const MARKUP = /^\s*(?:<|%PDF|\{\\rtf)/;

/* Spreadsheets may name the delimiter in a line before the header. */
const DELIMITER_LINE = /^sep=[,;\t][^\S\n]*(?=\n)/i;

function decoded(bytes: Buffer, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function decode(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return decoded(bytes, "utf-16le");
  }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return decoded(bytes, "utf-16be");
  }
  return decoded(bytes, "utf-8") ?? decoded(bytes, "gb18030");
}

function parse(text: string, delimiter: string, preview = 0) {
  return Papa.parse<string[]>(text, { delimiter, newline: "\n", preview });
}

/** The delimiter that makes the most of the first rows' cells known to `knows`. */
function delimiterOf(text: string, knows: (header: string) => boolean): string {
  const counts = DELIMITERS.map((delimiter) => {
    const rows = parse(text, delimiter, HEAD_ROWS).data;
    return { delimiter, count: Math.max(...rows.map((row) => row.filter(knows).length), 0) };
  });
  const [best] = counts.toSorted((one, other) => other.count - one.count);
  return best?.delimiter ?? ",";
}

/**
 * The one sheet of a csv. `knows` tells whether a cell is one of the header's names, which decides
 * the delimiter. Throws `upload_type` for what is no text.
 */
export function readCsv(bytes: Buffer, knows: (header: string) => boolean): Sheet {
  const whole = decode(bytes);
  if (whole === null || BINARY.test(whole) || MARKUP.test(whole)) {
    throw new AppError("upload_type");
  }
  // Blank rows before the end are counted, those at the end are many and nothing.
  const text = whole.replaceAll(/\r\n?/g, "\n").replace(DELIMITER_LINE, "").trimEnd();
  const { data, errors } = parse(text, delimiterOf(text, knows));
  const unquoted = errors.filter((error) => error.type === "Quotes").map(({ row = 0 }) => row);
  const faults = [...new Set(unquoted)].map((row): ReadFault => {
    const value = shown(data[row]?.join(",") ?? "");
    return { row: row + 1, column: "", value, key: "quotes_unbalanced", values: {} };
  });
  return {
    name: null,
    rowCount: data.length,
    width: (row) => data[row]?.length ?? 0,
    text: (row, column) => unguarded((data[row]?.[column] ?? "").trim()),
    isError: () => false,
    faults,
  };
}
