/** Reads xlsx and xls into sheets. A formula counts as its stored value. */
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { CFB, parse_xlscfb, parse_zip, set_cptable } from "@e965/xlsx";
import type { CellObject, DenseWorkSheet, ParsingOptions, WorkBook } from "@e965/xlsx";
import { AppError, found } from "@red/contract/platform/errors";
import type { Sheet, SheetRow } from "./input-sheet.ts";
import { fromBufferPromise } from "yauzl";

/** A file inside the workbook's container. */
interface Member {
  readonly name: string;
  readonly size: number;
  readonly type: number;
  readonly content?: Uint8Array;
}

/** Two parallel lists: the paths of the members, and the members. */
interface Container {
  readonly FullPaths: readonly string[];
  readonly FileIndex: readonly Member[];
}

declare module "@e965/xlsx" {
  // The library exports these functions, but its types lack them.
  function parse_zip(container: Container, options: ParsingOptions): WorkBook;
  function parse_xlscfb(container: Container, options: ParsingOptions): WorkBook;
}

/** Sets no limit on rows, because the library would drop the other rows silently. Memory has its own limits. */
function options(): ParsingOptions {
  return {
    type: "buffer",
    dense: true,
    cellFormula: false,
    cellHTML: false,
    cellText: false,
    cellDates: true,
  };
}

/** Number of digits of a number that a spreadsheet shows. Further digits are rounding errors. */
const SPREADSHEET_DIGITS = 15;

function textOf(cell: CellObject | undefined): string {
  const value = cell?.t === "e" ? undefined : cell?.v;
  if (typeof value === "number") {
    return String(Number(value.toPrecision(SPREADSHEET_DIGITS)));
  }
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) {
      return "";
    }
    // A sheet stores a time as a fraction of a day, accurate to about a second.
    const at = new Date(Math.round(value.getTime() / 1000) * 1000).toISOString();
    return at.endsWith("T00:00:00.000Z") ? at.slice(0, 10) : at.slice(0, 19).replace("T", " ");
  }
  return value === undefined ? "" : String(value).trim();
}

function* rowsOf(sheet: DenseWorkSheet): Generator<SheetRow> {
  const data: readonly ((CellObject | undefined)[] | undefined)[] = sheet["!data"] ?? [];
  // Object.entries skips the holes of the array.
  for (const [at, cells = []] of Object.entries(data)) {
    const texts = new Map<number, string>();
    const errors: number[] = [];
    for (const [column, cell] of Object.entries(cells)) {
      const text = textOf(cell);
      if (text !== "") {
        texts.set(Number(column), text);
      } else if (cell?.t === "e") {
        errors.push(Number(column));
      }
    }
    if (texts.size > 0) {
      yield { row: Number(at) + 1, width: cells.length, texts, errors };
    }
  }
}

/** Maximum size in bytes of all unpacked parts of an xlsx together. 10,000 rows of a prize file are about 3 MB. */
const INFLATED_BYTES_MAX = 16 * 1024 * 1024;

/** Parts to read: the workbook, its strings, its styles and its sheets. Pictures, themes and macros are not read. */
const PART =
  /^(?:\[content_types\]\.xml|xl\/[\w .()-]+\.xml|xl\/_rels\/[\w .()-]+\.rels|xl\/worksheets\/[\w .()-]+\.xml)$/i;

/**
 * Unpacks an xlsx without the library, which would trust declared sizes, skip checksums, and use memory outside the
 * thread's limit.
 */
async function openXlsx(bytes: Buffer): Promise<Container> {
  const zip = await fromBufferPromise(bytes);
  const parts: Member[] = [];
  const names = new Set<string>();
  let size = 0;
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) {
      throw new AppError("upload_encrypted");
    }
    if (PART.test(entry.fileName)) {
      // If two parts have the same name, programs differ in which part they read.
      if (names.size === names.add(entry.fileName.toLowerCase()).size) {
        throw new AppError("upload_broken");
      }
      size += entry.uncompressedSize;
      if (size > INFLATED_BYTES_MAX) {
        throw new AppError("upload_too_complex");
      }
      // Throws as soon as the unpacked size exceeds the declared size.
      const content = await buffer(await zip.openReadStreamPromise(entry));
      if (crc32(content) !== entry.crc32) {
        throw new AppError("upload_broken");
      }
      // The library treats members of type 2 as files with bytes.
      parts.push({ name: entry.fileName, content, size: content.length, type: 2 });
    }
  }
  if (!names.has("xl/workbook.xml")) {
    throw new AppError("upload_type");
  }
  return { FullPaths: parts.map((part) => part.name), FileIndex: parts };
}

/** Throws `upload_encrypted`, `upload_broken`, and `upload_type` for documents of other programs. */
async function openXls(bytes: Buffer): Promise<Container> {
  // The types of the library do not declare the result.
  const container = CFB.read(bytes, { type: "buffer" }) as Container;
  const find = (name: string) => container.FileIndex.find((member) => member.name === name);
  if (find("EncryptedPackage") !== undefined) {
    throw new AppError("upload_encrypted");
  }
  const book = found(find("Workbook") ?? find("Book"), "upload_type");
  if (book.content?.length !== book.size) {
    throw new AppError("upload_broken");
  }
  // Only the oldest workbooks need these tables of national code pages.
  set_cptable(await import("@e965/xlsx/dist/cpexcel.full.mjs"));
  return container;
}

async function parse(bytes: Buffer, kind: "xlsx" | "xls"): Promise<WorkBook> {
  return kind === "xlsx"
    ? parse_zip(await openXlsx(bytes), options())
    : parse_xlscfb(await openXls(bytes), options());
}

/** Throws `upload_type`, `upload_encrypted`, `upload_too_complex`, `upload_broken`. */
export async function readWorkbook(bytes: Buffer, kind: "xlsx" | "xls"): Promise<Sheet[]> {
  let workbook: WorkBook;
  try {
    workbook = await parse(bytes, kind);
  } catch (fault) {
    if (fault instanceof AppError) {
      throw fault;
    }
    const isLocked = fault instanceof Error && /password/i.test(fault.message);
    throw new AppError(isLocked ? "upload_encrypted" : "upload_broken");
  }
  return workbook.SheetNames.map((name): Sheet => {
    // With the option `dense` sheets have this type. A sheet is missing if the library could not read it.
    const sheet = found(workbook.Sheets[name] as DenseWorkSheet | undefined, "upload_broken");
    return { name, rows: () => rowsOf(sheet), faults: [] };
  });
}
