/** Reads xlsx and xls into sheets. A formula counts by the value that the file keeps of it. */
import { CFB, parse_xlscfb, parse_zip, set_cptable } from "@e965/xlsx";
import type { CellObject, DenseWorkSheet, ParsingOptions, WorkBook } from "@e965/xlsx";
import { AppError } from "@red/contract/errors";
import type { Sheet } from "./sheet.ts";
import { unpackXlsx } from "./unpack-xlsx.ts";

/** A file inside the container that a workbook is. */
interface Member {
  readonly name: string;
  readonly size: number;
  readonly content?: Uint8Array;
}

/** Two lists in step: the path of each member, and the member. */
interface Container {
  readonly FullPaths: readonly string[];
  readonly FileIndex: readonly Member[];
}

declare module "@e965/xlsx" {
  // Exported by the library, left out of its types.
  function parse_zip(container: Container, options: ParsingOptions): WorkBook;
  function parse_xlscfb(container: Container, options: ParsingOptions): WorkBook;
}

/** No limit on rows: it would cut what is beyond without a word. Memory has its own bounds. */
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

/** Digits that a spreadsheet shows of a number; what a sum leaves beyond them is noise. */
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
    // A day is written as one; what a sheet keeps of a time is a fraction of a day, near the second.
    const at = new Date(Math.round(value.getTime() / 1000) * 1000).toISOString();
    return at.endsWith("T00:00:00.000Z") ? at.slice(0, 10) : at.slice(0, 19).replace("T", " ");
  }
  return value === undefined ? "" : String(value).trim();
}

/** Null when the library could not read the sheet. */
function sheetOf(workbook: WorkBook, name: string): Sheet | null {
  // Read with `dense`, every sheet is of this kind.
  const sheet = workbook.Sheets[name] as DenseWorkSheet | undefined;
  if (sheet === undefined) {
    return null;
  }
  const rows: readonly ((CellObject | undefined)[] | undefined)[] = sheet["!data"] ?? [];
  const cell = (row: number, column: number) => rows[row]?.[column];
  return {
    name,
    rowCount: rows.length,
    width: (row) => rows[row]?.length ?? 0,
    text: (row, column) => textOf(cell(row, column)),
    isError: (row, column) => cell(row, column)?.t === "e",
    faults: [],
  };
}

async function openXlsx(bytes: Buffer): Promise<Container> {
  const parts = await unpackXlsx(bytes);
  return {
    FullPaths: parts.map((part) => part.name),
    // The library takes members of this type for files with bytes.
    FileIndex: parts.map((part) => ({ ...part, size: part.content.length, type: 2 })),
  };
}

/** Throws `upload_encrypted`, and `upload_type` for documents of other programs. */
async function openXls(bytes: Buffer): Promise<Container> {
  // Its types say nothing of what this returns.
  const container = CFB.read(bytes, { type: "buffer" }) as Container;
  const find = (name: string) => container.FileIndex.find((member) => member.name === name);
  if (find("EncryptedPackage") !== undefined) {
    throw new AppError("upload_encrypted");
  }
  const book = find("Workbook") ?? find("Book");
  if (book === undefined) {
    throw new AppError("upload_type");
  }
  if (book.content?.length !== book.size) {
    throw new AppError("upload_broken");
  }
  // Only the oldest workbooks need these tables: text in the code page of some country.
  set_cptable(await import("@e965/xlsx/dist/cpexcel.full.mjs"));
  return container;
}

async function parse(bytes: Buffer, kind: "xlsx" | "xls"): Promise<WorkBook> {
  return kind === "xlsx"
    ? parse_zip(await openXlsx(bytes), options())
    : parse_xlscfb(await openXls(bytes), options());
}

/**
 * All sheets of a workbook, in its order. Throws `upload_type`, `upload_encrypted`,
 * `upload_too_complex`, `upload_broken`; what the library trips over counts as broken.
 */
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
  return workbook.SheetNames.map((name) => {
    const sheet = sheetOf(workbook, name);
    if (sheet === null) {
      throw new AppError("upload_broken");
    }
    return sheet;
  });
}
