/** Finds the kind, sheet, header and rows of the table in an uploaded file. */
import { AppError, found } from "@red/contract/platform/errors";
import { UNPRINTABLE } from "@red/contract/platform/fields";
import { readCsv } from "./read-csv.ts";
import { shown } from "./input-sheet.ts";
import type { ReadFault, Sheet, SheetRow } from "./input-sheet.ts";

/** A column to look for, by field or by label. */
export interface TableColumn {
  readonly field: string;
  readonly label: string;
  readonly required: boolean;
  /** If true, a table without a header is read as a list of this column. */
  readonly isBare?: boolean;
}

/** `row` is the row number in the file, from 1. `texts` are the cell texts by field. */
export interface ReadRow {
  readonly row: number;
  readonly texts: Readonly<Record<string, string>>;
}

/** If the header has faults, there are no rows. */
export interface ReadTable {
  /** Null for csv. */
  readonly sheet: string | null;
  readonly header: number;
  /** Fields of the columns that were found. */
  readonly fields: readonly string[];
  readonly rows: readonly ReadRow[];
  readonly faults: readonly ReadFault[];
}

/** The header of a sheet, and the positions at which it names each column. */
interface Header {
  readonly sheet: Sheet;
  readonly row: SheetRow;
  readonly places: ReadonlyMap<TableColumn, readonly number[]>;
}

/** First bytes of workbooks: a zip file (xlsx) or a compound file (xls). */
const WORKBOOKS: ReadonlyMap<string, "xlsx" | "xls"> = new Map([
  ["504b0304", "xlsx"],
  ["d0cf11e0", "xls"],
]);

/** Finds the kind of a workbook by its first bytes. Returns undefined for text or anything else. */
export function workbookKind(bytes: Buffer): "xlsx" | "xls" | undefined {
  return WORKBOOKS.get(bytes.subarray(0, 4).toString("hex"));
}

/** Normalizes a header, so that case, width, spaces and underscores do not matter. */
function key(header: string): string {
  return header.normalize("NFKC").toLowerCase().replaceAll(/[\s_]/g, "");
}

/** Returns the column that a header cell names. */
type Naming = (cell: string) => TableColumn | undefined;

function namingOf(columns: readonly TableColumn[]): Naming {
  const byName = new Map(
    columns.flatMap((column): [string, TableColumn][] => [
      [key(column.field), column],
      [key(column.label), column],
    ]),
  );
  return (cell) => byName.get(key(cell));
}

/** Returns the first row that is not blank, or null for a blank sheet. */
function headerOf(sheet: Sheet, naming: Naming): Header | null {
  for (const row of sheet.rows()) {
    const places = new Map<TableColumn, number[]>();
    for (const [place, text] of row.texts) {
      const column = naming(text);
      if (column !== undefined) {
        places.set(column, [...(places.get(column) ?? []), place]);
      }
    }
    return { sheet, row, places };
  }
  return null;
}

/** Returns the header of the first sheet with every required column, otherwise of the sheet with the most columns. */
function chooseHeader(
  sheets: readonly Sheet[],
  columns: readonly TableColumn[],
  naming: Naming,
): Header {
  const headers = sheets.flatMap((sheet) => headerOf(sheet, naming) ?? []);
  const required = columns.filter((column) => column.required);
  const fitting = headers.find(({ places }) => required.every((column) => places.has(column)));
  const [closest] = headers.toSorted((one, other) => other.places.size - one.places.size);
  return found(fitting ?? closest, "upload_empty");
}

function headerFaults({ row, places }: Header, columns: readonly TableColumn[]): ReadFault[] {
  return columns.flatMap((column): ReadFault[] => {
    const count = places.get(column)?.length ?? 0;
    if (count === 1 || (count === 0 && !column.required)) {
      return [];
    }
    const { field, label } = column;
    const fault = count === 0 ? "column_missing" : "column_twice";
    return [{ row: row.row, column: field, value: "", key: fault, values: { field, label } }];
  });
}

/** Reports a cell with characters that no text may contain. */
function characterFaults(row: number, { field, label }: TableColumn, cell = ""): ReadFault[] {
  const fault = { row, column: field, value: "", key: "bad_characters" } as const;
  return UNPRINTABLE.test(cell) ? [{ ...fault, values: { field: label } }] : [];
}

/** Returns the faults of a row that are visible before its values are read. */
function rowFaults(
  header: Header,
  { row, texts, errors }: SheetRow,
  places: readonly (readonly [string, number])[],
): ReadFault[] {
  const faults: ReadFault[] = places
    .filter(([, place]) => errors.includes(place))
    .map(([column]) => ({ row, column, value: "", key: "cell_error", values: {} }));
  // In csv, an extra delimiter moves the values after it. In a sheet, an extra cell is only a note.
  const beyond = [...texts].filter(([at]) => header.sheet.name === null && at >= header.row.width);
  for (const [, text] of beyond) {
    faults.push({ row, column: "", value: shown(text), key: "row_too_long", values: {} });
  }
  return faults;
}

function readRows(header: Header, rowsMax: number): Pick<ReadTable, "rows" | "faults"> {
  const { sheet } = header;
  const places = [...header.places].map(([{ field }, [place = 0]]) => [field, place] as const);
  const rows: ReadRow[] = [];
  const faults: ReadFault[] = [...sheet.faults];
  const broken = new Set(faults.map(({ row }) => row));
  for (const row of sheet.rows()) {
    const texts = places.map(([field, place]) => [field, row.texts.get(place) ?? ""] as const);
    if (row.row <= header.row.row || texts.every(([, text]) => text === "")) {
      continue;
    }
    if (rows.length === rowsMax) {
      throw new AppError("upload_too_many_rows", { max: rowsMax });
    }
    rows.push({ row: row.row, texts: Object.fromEntries(texts) });
    faults.push(...rowFaults(header, row, places));
    for (const [column, [place = 0]] of broken.has(row.row) ? [] : header.places) {
      faults.push(...characterFaults(row.row, column, row.texts.get(place)));
    }
  }
  if (rows.length === 0 && faults.length === 0) {
    throw new AppError("upload_empty");
  }
  return { rows, faults };
}

/** Maximum number of cells in a row of a list: the value and a note on it. */
const BARE_CELLS_MAX = 2;

/**
 * Reads the rows of a list without a header. Returns null if a row has too many cells for a list. Throws
 * `upload_too_many_rows`.
 */
function readBare(
  sheet: Sheet,
  column: TableColumn,
  rowsMax: number,
): Pick<ReadTable, "rows" | "faults"> | null {
  const rows: ReadRow[] = [];
  const faults: ReadFault[] = [...sheet.faults];
  for (const { row, texts } of sheet.rows()) {
    if (texts.size > BARE_CELLS_MAX) {
      return null;
    }
    if (rows.length === rowsMax) {
      throw new AppError("upload_too_many_rows", { max: rowsMax });
    }
    const text = [...texts.values()].join("\t");
    rows.push({ row, texts: { [column.field]: text } });
    faults.push(...characterFaults(row, column, text.replaceAll("\t", "")));
  }
  return { rows, faults };
}

async function readSheets(bytes: Buffer, naming: Naming): Promise<Sheet[]> {
  const kind = workbookKind(bytes);
  if (kind === undefined) {
    return [readCsv(bytes, (cell) => naming(cell) !== undefined)];
  }
  // This module is large, and csv does not need it.
  const { readWorkbook } = await import("./read-workbook.ts");
  return await readWorkbook(bytes, kind);
}

/**
 * Reads the table of a csv, xlsx or xls, without blank rows and unknown columns. Throws `upload_…` if the file cannot
 * be read at all; the result contains the faults of single cells.
 */
export async function parseTable(
  bytes: Buffer,
  columns: readonly TableColumn[],
  rowsMax: number,
): Promise<ReadTable> {
  const naming = namingOf(columns);
  const header = chooseHeader(await readSheets(bytes, naming), columns, naming);
  const list = columns.find((column) => column.isBare === true);
  const bare =
    list === undefined || header.places.size > 0 ? null : readBare(header.sheet, list, rowsMax);
  if (bare !== null) {
    return { sheet: header.sheet.name, header: 0, fields: [], ...bare };
  }
  const faults = headerFaults(header, columns);
  const content = faults.length > 0 ? { rows: [], faults } : readRows(header, rowsMax);
  return {
    sheet: header.sheet.name,
    header: header.row.row,
    fields: [...header.places.keys()].map((column) => column.field),
    ...content,
  };
}
