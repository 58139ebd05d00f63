/**
 * Streams xlsx with constant memory. Numbers keep their digits. Text is stored inline, so it never becomes a formula.
 */
import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { Cell, Table } from "./output-table.ts";

/** Excel's row limit minus the header row. More rows go to further sheets. */
export const ROWS_PER_SHEET = 1_048_575;

const CHUNK_CHARACTERS = 131_072;
const ZIP = { compressionLevel: 3, mtime: new Date("2026-01-01T00:00:00Z") };
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const DOCUMENT = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/* Characters that XML 1.0 does not allow, not even escaped. */
// oxlint-disable-next-line no-control-regex -- the control characters are what has to go
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/gu;

/* Spreadsheets read _x0041_ as the character with that code, unless the underscore itself is encoded. */
const CODED = /_(?=x[\da-f]{4}_)/gi;

/* Matches every character that `escaped` may have to change. */
// oxlint-disable-next-line no-control-regex -- the control characters are what has to go
const MARKED = /[&<>"_\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/;

function escaped(text: string): string {
  if (!MARKED.test(text)) {
    return text;
  }
  return text
    .replaceAll(FORBIDDEN, "")
    .replaceAll(CODED, "_x005F_")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function cellXml(cell: Cell, style: string): string {
  if (typeof cell === "string") {
    return `<c t="inlineStr"${style}><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
  }
  return cell === null ? "<c/>" : `<c><v>${cell.number}</v></c>`;
}

function rowXml(cells: readonly Cell[], style = ""): string {
  let xml = "<row>";
  for (const cell of cells) {
    xml += cellXml(cell, style);
  }
  return `${xml}</row>`;
}

/** Reads the rows of a table. Each sheet takes a part of them. */
class Rows {
  readonly #pages: AsyncIterator<readonly (readonly Cell[])[]>;
  #page: readonly (readonly Cell[])[] = [];
  #at = 0;

  constructor({ pages }: Table) {
    this.#pages = pages[Symbol.asyncIterator]();
  }

  /** Waits for the next page if the current page is used up. Returns false after the last row. */
  async more(): Promise<boolean> {
    while (this.#at >= this.#page.length) {
      const next = await this.#pages.next();
      if (next.done === true) {
        return false;
      }
      this.#page = next.value;
      this.#at = 0;
    }
    return true;
  }

  /** Returns at most `count` rows of the current page. */
  take(count: number): readonly (readonly Cell[])[] {
    const taken = this.#page.slice(this.#at, this.#at + count);
    this.#at += taken.length;
    return taken;
  }

  async leave(): Promise<void> {
    await this.#pages.return?.();
  }
}

/** Stops after `ROWS_PER_SHEET` rows and leaves the rest to the next sheet. */
async function* sheetXml(labels: readonly string[], rows: Rows): AsyncGenerator<Buffer> {
  let chunk =
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="${Math.max(labels.length, 1)}" width="20" customWidth="1"/></cols>` +
    `<sheetData>${rowXml(labels, ' s="1"')}`;
  for (let left = ROWS_PER_SHEET; left > 0 && (await rows.more());) {
    const page = rows.take(left);
    left -= page.length;
    for (const row of page) {
      chunk += rowXml(row);
      if (chunk.length >= CHUNK_CHARACTERS) {
        yield Buffer.from(chunk);
        chunk = "";
      }
    }
  }
  yield Buffer.from(`${chunk}</sheetData></worksheet>`);
}

const STYLES =
  `${XML}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>';

function sheetName(title: string, number: number): string {
  const suffix = number === 1 ? "" : ` (${number})`;
  // A sheet name has at most 31 characters and none of these.
  const plain = title.replaceAll(/[[\]:*?/\\']/g, " ").trim() || "Sheet";
  return escaped(plain.slice(0, 31 - suffix.length) + suffix);
}

function addFrame(zip: ZipFile, names: readonly string[]): void {
  const numbers = names.map((_, at) => at + 1);
  const add = (path: string, xml: string) => zip.addBuffer(Buffer.from(xml), path, ZIP);
  add(
    "xl/workbook.xml",
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${numbers
      .map((n) => `<sheet name="${names[n - 1] ?? ""}" sheetId="${n}" r:id="rId${n}"/>`)
      .join("")}</sheets></workbook>`,
  );
  add(
    "xl/_rels/workbook.xml.rels",
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">${numbers
      .map(
        (n) =>
          `<Relationship Id="rId${n}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
      )
      .join(
        "",
      )}<Relationship Id="rIdS" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
  );
  add("xl/styles.xml", STYLES);
  add(
    "_rels/.rels",
    `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  );
  add(
    "[Content_Types].xml",
    `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${DOCUMENT}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${DOCUMENT}.styles+xml"/>${numbers
        .map(
          (n) =>
            `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${DOCUMENT}.worksheet+xml"/>`,
        )
        .join("")}</Types>`,
  );
}

async function fill(
  zip: ZipFile,
  tables: readonly (readonly [Table, Rows])[],
  output: Readable,
): Promise<void> {
  const names: string[] = [];
  for (const [table, rows] of tables) {
    let number = 0;
    do {
      number += 1;
      names.push(sheetName(table.title, number));
      // The next sheet begins at the row where this stream ended.
      await new Promise<void>((resolve, reject) => {
        const sheet = Readable.from(sheetXml(table.labels, rows));
        sheet.once("error", reject).once("end", resolve);
        output.once("close", () => sheet.destroy());
        zip.addReadStream(sheet, `xl/worksheets/sheet${names.length}.xml`, ZIP);
      });
    } while (await rows.more());
  }
  addFrame(zip, names);
  zip.end();
}

/**
 * Streams each table on its own sheets. An error while reading ends the stream. Destroying the stream releases the
 * rows.
 */
export function xlsxOf(...tables: readonly Table[]): Readable {
  const zip = new ZipFile();
  // yazl declares its PassThrough stream only as a general interface.
  const output = zip.outputStream as Readable;
  const read = tables.map((table) => [table, new Rows(table)] as const);
  const fail = (fault: unknown) => {
    output.destroy(fault instanceof Error ? fault : new Error(String(fault)));
  };
  // The zip does not tell its sheets that the reader has gone, so this ends them. After the last row this does no harm.
  output.once("close", () => {
    Promise.all(read.map(([, rows]) => rows.leave())).catch(fail);
  });
  fill(zip, read, output).catch(fail);
  return output;
}
