/** Reads csv in UTF-8, GB18030, or UTF-16 with BOM, separated by comma, semicolon or tab. */
import { AppError } from "@red/contract/platform/errors";
import Papa from "papaparse";
import { unguarded } from "./csv-writer.ts";
import { shown } from "./input-sheet.ts";
import type { ReadFault, Sheet, SheetRow } from "./input-sheet.ts";

const DELIMITERS = [",", ";", "\t"] as const;

/** Number of first rows that are examined to find the delimiter. */
const HEAD_ROWS = 20;

/*
 * Characters that text never contains. They are common in pictures, programs and archives, as bytes and as characters.
 */
// oxlint-disable-next-line no-control-regex -- the control characters are what gives it away
const BINARY = /[\u0000-\u0008\u000E-\u001F]/;

/* Matches text that is not a table: web pages, drawings, PDF, rich text. */
const MARKUP = /^\s*(?:<|%PDF|\{\\rtf)/;

/* Some spreadsheets name the delimiter in a line before the header. */
const DELIMITER_LINE = /^sep=[,;\t][^\S\n]*(?=\n)/i;

function decoded(bytes: Buffer, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** With more rare characters than this, the encoding is doubtful. */
const RARE_MAX = 8;

/**
 * True if the bytes look like Chinese in GB18030: real Chinese is mostly characters of GB 2312. Nearly any bytes decode
 * as GB18030, so Shift-JIS would be imported as rows of unused characters.
 */
function looksChinese(bytes: Buffer): boolean {
  let usual = 0;
  let rare = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0;
    if (lead >= 0x80) {
      at += 1;
      const trail = bytes[at] ?? 0;
      const isUsual =
        trail >= 0xa1 && lead >= 0xa1 && lead <= 0xf7 && !(lead > 0xa3 && lead < 0xb0);
      usual += isUsual ? 1 : 0;
      rare += isUsual ? 0 : 1;
    }
  }
  return rare <= RARE_MAX || rare <= 2 * usual;
}

function decode(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return decoded(bytes, "utf-16le");
  }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return decoded(bytes, "utf-16be");
  }
  return decoded(bytes, "utf-8") ?? (looksChinese(bytes) ? decoded(bytes, "gb18030") : null);
}

/** True if the bytes are text in an unsupported encoding: UTF-16 without BOM, or an encoding of another country. */
function isForeignText(bytes: Buffer): boolean {
  if (!BINARY.test(bytes.toString("latin1"))) {
    return true;
  }
  const isText = (text: string | null) =>
    text !== null && /[,;\t\n]/.test(text) && !BINARY.test(text);
  return isText(decoded(bytes, "utf-16le")) || isText(decoded(bytes, "utf-16be"));
}

/**
 * Decodes the file. Throws `upload_encoding` for text that cannot be read, and `upload_type` for content that is not
 * text.
 */
function textOf(bytes: Buffer): string {
  const text = decode(bytes);
  if (text !== null && !BINARY.test(text) && !MARKUP.test(text)) {
    return text;
  }
  const isText = !MARKUP.test(text ?? "") && isForeignText(bytes);
  throw new AppError(isText ? "upload_encoding" : "upload_type");
}

function parse(text: string, delimiter: string, preview = 0) {
  return Papa.parse<string[]>(text, { delimiter, newline: "\n", preview });
}

/** Returns the delimiter for which a row has the most cells that `knows` accepts, among the first rows. */
function delimiterOf(text: string, knows: (header: string) => boolean): string {
  const counts = DELIMITERS.map((delimiter) => {
    const rows = parse(text, delimiter, HEAD_ROWS).data;
    return { delimiter, count: Math.max(...rows.map((row) => row.filter(knows).length), 0) };
  });
  const [best] = counts.toSorted((one, other) => other.count - one.count);
  return best?.delimiter ?? ",";
}

function* rowsOf(data: readonly (readonly string[])[]): Generator<SheetRow> {
  for (const [at, cells] of data.entries()) {
    const texts = new Map<number, string>();
    for (const [column, cell] of cells.entries()) {
      const text = unguarded(cell.trim());
      if (text !== "") {
        texts.set(column, text);
      }
    }
    if (texts.size > 0) {
      yield { row: at + 1, width: cells.length, texts, errors: [] };
    }
  }
}

/**
 * Reads a csv file. `knows` recognizes header names and so helps to find the delimiter. Throws `upload_encoding` and
 * `upload_type`.
 */
export function readCsv(bytes: Buffer, knows: (header: string) => boolean): Sheet {
  // Blank rows count in row numbers, except for blank rows at the end.
  const text = textOf(bytes).replaceAll(/\r\n?/g, "\n").replace(DELIMITER_LINE, "").trimEnd();
  const { data, errors } = parse(text, delimiterOf(text, knows));
  const unquoted = errors.filter((error) => error.type === "Quotes").map(({ row = 0 }) => row);
  const faults = [...new Set(unquoted)].map((row): ReadFault => {
    const value = shown(data[row]?.join(",") ?? "");
    return { row: row + 1, column: "", value, key: "quotes_unbalanced", values: {} };
  });
  return { name: null, rows: () => rowsOf(data), faults };
}
