/** Reads and writes prize files (behaviour §12). */
import { setImmediate } from "node:timers/promises";
import type { TextValues } from "@red/contract/platform/errors";
import { faultsOf } from "@red/contract/platform/faults";
import { FIELD_LABELS } from "@red/contract/pools/field-labels";
import { PRIZE_FILE_POOLS_MAX, PRIZE_FILE_ROWS_MAX } from "@red/contract/platform/limits";
import { PRIZE_FILE_FLOORS, PRIZE_FILE_LABELS, prizeCreate } from "@red/contract/pools/prize";
import type { Prize, PrizeFileColumn, PrizeForm, RowFault } from "@red/contract/pools/prize";
import { text } from "@red/contract/platform/texts";
import type { Language, TextKey } from "@red/contract/platform/texts";
import * as z from "zod/mini";
import type { ReadRow, ReadTable, TableColumn } from "#tables/parse-table";
import { readTable } from "#tables/read-table";
import { shown } from "#tables/input-sheet";
import { numberCell, textCell } from "#tables/output-table";
import type { Cell, Table } from "#tables/output-table";

export interface PrizeRowForm {
  readonly row: number;
  readonly form: PrizeForm;
}

/** The valid rows of a file, and its errors by row. One error rejects the whole file. */
export interface PrizeFile {
  readonly prizes: readonly PrizeRowForm[];
  readonly faults: readonly RowFault[];
}

const FIELDS = Object.entries(PRIZE_FILE_LABELS).map(([field, label]) => ({
  // The keys of PRIZE_FILE_LABELS are the column names.
  field: field as PrizeFileColumn,
  label,
}));

/** The pool column is optional: the form or the sheet name can give the pool. */
const COLUMNS: readonly TableColumn[] = FIELDS.map(({ field, label }) => ({
  field,
  label,
  required: field !== "pool_name",
}));

/** Number of rows to check before other requests get their turn. */
const ROWS_AT_ONCE = 500;

const FLOORS = new Map([
  [PRIZE_FILE_FLOORS.yes, "1"],
  [PRIZE_FILE_FLOORS.no, "0"],
  ["true", "1"],
  ["false", "0"],
]);

function bodyOf({ texts }: ReadRow, fallback: string | null): Record<string, string> {
  const cells = FIELDS.map(({ field }) => [field, texts[field] ?? ""]);
  const floors = texts["floors"] ?? "";
  return {
    ...Object.fromEntries(cells),
    floors: FLOORS.get(floors.toLowerCase()) ?? floors,
    pool_name: texts["pool_name"] ?? fallback ?? "",
  };
}

/** Collects errors: at most one per cell. After an error about a whole row, further errors in that row are ignored. */
function faultList(language: Language) {
  const faults: RowFault[] = [];
  const places = new Set<string>();
  const add = (fault: RowFault) => {
    const place = `${fault.row} ${fault.column}`;
    if (!places.has(place) && !places.has(`${fault.row} `)) {
      places.add(place);
      faults.push({ ...fault, value: shown(fault.value) });
    }
  };
  return {
    faults,
    add,
    say: (place: Omit<RowFault, "msg">, key: TextKey, values?: TextValues) =>
      add({ ...place, msg: text(key, language, values) }),
  };
}

type FaultList = ReturnType<typeof faultList>;

/** Pool name and prize name. They are also read from a row with errors in other cells, to find duplicates. */
const PRIZE_NAMES = z.pick(prizeCreate, { pool_name: true, award_name: true });

interface PrizeRowNames extends z.output<typeof PRIZE_NAMES> {
  readonly row: number;
}

function checkTogether(named: readonly PrizeRowNames[], list: FaultList): void {
  const rows = new Map<string, number>();
  const pools = new Set<string>();
  for (const { row, pool_name, award_name } of named) {
    const key = `${pool_name}\n${award_name}`;
    const first = rows.get(key);
    if (first === undefined) {
      rows.set(key, row);
    } else {
      const place = { row, column: "award_name", value: award_name };
      list.say(place, "prize_twice", { row: first });
    }
    const isNew = !pools.has(pool_name);
    pools.add(pool_name);
    // Reported once; the check of later rows continues.
    if (isNew && pools.size === PRIZE_FILE_POOLS_MAX + 1) {
      const place = { row, column: "pool_name", value: pool_name };
      list.say(place, "too_many_pools", { max: PRIZE_FILE_POOLS_MAX });
    }
  }
}

/** Checks each row like the form of a prize, then all rows together. */
async function checkRows(
  table: ReadTable,
  fallback: string | null,
  list: FaultList,
  language: Language,
): Promise<PrizeRowForm[]> {
  const prizes: PrizeRowForm[] = [];
  const named: PrizeRowNames[] = [];
  for (const [index, read] of table.rows.entries()) {
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) {
      await setImmediate();
    }
    const body = bodyOf(read, fallback);
    const result = z.safeParse(prizeCreate, body);
    if (result.success) {
      prizes.push({ row: read.row, form: result.data });
      named.push({ row: read.row, ...result.data });
      continue;
    }
    const { pool_name, award_name } = body;
    const names = z.safeParse(PRIZE_NAMES, { pool_name, award_name });
    if (names.success) {
      named.push({ row: read.row, ...names.data });
    }
    for (const { field, msg } of faultsOf(result.error.issues, language, FIELD_LABELS[language])) {
      list.add({ row: read.row, column: field, value: read.texts[field] ?? "", msg });
    }
  }
  checkTogether(named, list);
  return prizes;
}

/**
 * Reads a prize file. If the file has no pool column, the pool is `pool_name`, or else the sheet
 * name. Throws the errors of readTable; returns errors in cells.
 */
export async function readPrizeFile(
  bytes: Buffer,
  pool_name: string | null,
  language: Language,
): Promise<PrizeFile> {
  const table = await readTable(bytes, COLUMNS, PRIZE_FILE_ROWS_MAX);
  const list = faultList(language);
  for (const { key, values, ...place } of table.faults) {
    list.say(place, key, values);
  }
  const fallback = pool_name ?? table.sheet;
  if (fallback === null && !table.fields.includes("pool_name")) {
    const place = { row: table.header, column: "pool_name", value: "" };
    list.say(place, "pool_column_missing");
    return { prizes: [], faults: list.faults };
  }
  const prizes = await checkRows(table, fallback, list, language);
  return { prizes, faults: list.faults.toSorted((one, other) => one.row - other.row) };
}

/** Columns that the export adds and the import ignores. */
const MORE_LABELS = ["ID", "已抽", "剩余"];

const CELLS: Readonly<Record<PrizeFileColumn, (prize: Prize) => Cell>> = {
  pool_name: (prize) => textCell(prize.pool_name),
  award_name: (prize) => textCell(prize.award_name),
  award_price: (prize) => numberCell(prize.award_price),
  weight: (prize) => numberCell(prize.weight),
  award_total: (prize) => numberCell(prize.award_total),
  floors: (prize) => textCell(prize.floors === 1 ? PRIZE_FILE_FLOORS.yes : PRIZE_FILE_FLOORS.no),
};

function cellsOf(prize: Prize): Cell[] {
  const more = [numberCell(prize.id), numberCell(prize.drawn), numberCell(prize.remaining)];
  return [...FIELDS.map(({ field }) => CELLS[field](prize)), ...more];
}

async function* pagesOf(prizes: readonly Prize[]): AsyncGenerator<Cell[][]> {
  yield prizes.map(cellsOf);
}

/** Returns the prizes of a pool as a table that can be imported again. */
export function prizeTable(pool_name: string, prizes: readonly Prize[]): Table {
  const labels = [...FIELDS.map(({ label }) => label), ...MORE_LABELS];
  return { title: pool_name, labels, pages: pagesOf(prizes) };
}
