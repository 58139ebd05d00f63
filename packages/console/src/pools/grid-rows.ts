/** The prizes of a pool as a table of texts, which the operator types or pastes (behaviour §3). */
import { parseCents } from "@red/contract/platform/money";
import { PRIZE_FILE_FLOORS, PRIZE_FILE_LABELS } from "@red/contract/pools/prize";
import type { Prize } from "@red/contract/pools/prize";
import type { TheirChange } from "#forms/merge.ts";
import { plainAmount, plainNumber } from "#ui/plain-number.ts";
import { figuresOf } from "./pool-math.ts";
import type { PoolFigures } from "./pool-math.ts";

/** The columns have the order of the prize file. A pasted table without a header row has this order too. */
export const GRID_COLUMNS = [
  "award_name",
  "award_price",
  "weight",
  "award_total",
  "floors",
] as const;
export type GridColumn = (typeof GRID_COLUMNS)[number];

/** `floors` is "1" or "0". A row without an id is a new prize. */
export type GridRow = Readonly<Record<GridColumn, string>> & {
  readonly id?: number;
  readonly version?: number;
  readonly drawn?: number;
};

export const BLANK: GridRow = {
  award_name: "",
  award_price: "",
  weight: "",
  award_total: "",
  floors: "0",
};

/** Returns whether all cells of a row are empty. Empty rows are not sent. */
export function isBlank(row: GridRow): boolean {
  return GRID_COLUMNS.every((column) => column === "floors" || row[column].trim() === "");
}

export function gridRows(prizes: readonly Prize[]): GridRow[] {
  return prizes.map(({ pool_name: _pool, remaining: _left, ...prize }) => ({
    ...prize,
    weight: String(prize.weight),
    award_total: String(prize.award_total),
    floors: String(prize.floors),
  }));
}

const YES: ReadonlySet<string> = new Set([PRIZE_FILE_FLOORS.yes, "1", "true", "yes"]);

const GOODS = /^\s*(?:实物|goods)\s*$/i;

/** Returns the text in the form in which a cell stores it. */
export function cleanCell(column: GridColumn, text: string): string {
  if (column === "award_name") {
    return text;
  }
  if (column === "floors") {
    return YES.has(text.trim().toLowerCase()) ? "1" : "0";
  }
  if (column === "award_price") {
    return GOODS.test(text) ? "0" : plainAmount(text);
  }
  return plainNumber(text);
}

/** Removes the quotes that a spreadsheet puts around a cell with a quote or a line break. */
function cellOf(text: string): string {
  const quoted = /^"(.*)"$/s.exec(text)?.[1];
  return (quoted?.replaceAll('""', '"') ?? text).trim();
}

/** Other accepted headers, besides the field name and the label in the prize file. */
const MORE_NAMES: Readonly<Record<GridColumn, readonly string[]>> = {
  award_name: ["奖品名称"],
  award_price: ["额度"],
  weight: ["奖品权重"],
  award_total: ["总数"],
  floors: ["保底"],
};

/** Returns the columns that a header row names, in the order of the row. Null if the row contains values. */
function headerOf(cells: readonly string[]): (GridColumn | undefined)[] | null {
  const columns = cells.map((cell) =>
    GRID_COLUMNS.find((column) =>
      [column, PRIZE_FILE_LABELS[column], ...MORE_NAMES[column]].includes(cell),
    ),
  );
  return columns.filter((column) => column !== undefined).length > 1 ? columns : null;
}

export function isTable(text: string): boolean {
  return /[\t\n]/.test(text.trimEnd());
}

/**
 * Writes a table from a spreadsheet over the rows, from row `at` and `column` on. If the table has a header row, its
 * columns may have any order, and unknown columns are left out.
 */
export function pasteRows(
  rows: readonly GridRow[],
  text: string,
  at: number,
  column: GridColumn,
): GridRow[] {
  const lines = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .map((line) => line.split("\t").map(cellOf));
  const header = headerOf(lines[0] ?? []);
  const columns = header ?? GRID_COLUMNS.slice(GRID_COLUMNS.indexOf(column));
  const pasted = [...rows];
  for (const [index, cells] of lines.slice(header === null ? 0 : 1).entries()) {
    const values = columns.flatMap((name, place) => {
      const cell = cells[place];
      return name === undefined || cell === undefined ? [] : [[name, cleanCell(name, cell)]];
    });
    pasted[at + index] = { ...(pasted[at + index] ?? BLANK), ...Object.fromEntries(values) };
  }
  return pasted;
}

/**
 * Computes odds and costs of the rows. The id of a prize is the position of its row. Undefined while a number is
 * missing or wrong.
 */
export function gridFigures(rows: readonly GridRow[]): PoolFigures | undefined {
  const entered = rows.flatMap((row, id) => (isBlank(row) ? [] : [{ row, id }]));
  const prizes = entered.map(({ row, id }) => {
    const award_total = Number(row.award_total);
    return {
      id,
      weight: Number(row.weight),
      award_total,
      award_price: row.award_price,
      floors: row.floors === "1" ? (1 as const) : (0 as const),
      remaining: Math.max(0, award_total - (row.drawn ?? 0)),
    };
  });
  const isWhole = entered.every(
    ({ row }) =>
      /^\d{1,10}$/.test(row.weight) &&
      /^\d{1,10}$/.test(row.award_total) &&
      parseCents(row.award_price) !== null,
  );
  return isWhole ? figuresOf(prizes) : undefined;
}

/** Returns the rows to save, the prizes to remove, and the position of each sent row in the table. */
export function gridBody(rows: readonly GridRow[], source: readonly Prize[]) {
  const sent = rows.flatMap((row, place) => (isBlank(row) ? [] : [{ row, place }]));
  const kept = new Set(sent.map(({ row }) => row.id));
  return {
    rows: sent.map(({ row: { drawn: _drawn, ...row } }) => row),
    removed: source.filter(({ id }) => !kept.has(id)).map(({ id, version }) => ({ id, version })),
    places: sent.map(({ place }) => place),
  };
}

/**
 * Merges my rows with the rows that another operator saved in the meantime. An unchanged cell takes the saved value.
 * A changed cell keeps my value until I choose the saved one. A prize that the other operator deleted disappears, but
 * becomes a new prize if I changed it. A prize that I deleted and the other operator changed comes back.
 */
export function mergeRows(
  base: readonly GridRow[],
  mine: readonly GridRow[],
  saved: readonly GridRow[],
): { readonly rows: GridRow[]; readonly changes: TheirChange[] } {
  const changes: TheirChange[] = [];
  const rows: GridRow[] = [];
  const none = { name: "award_name", before: null, mine: null, theirs: null, kept: false };
  for (const row of mine) {
    const old = base.find(({ id }) => id !== undefined && id === row.id);
    const theirs = saved.find(({ id }) => id !== undefined && id === row.id);
    const touched = GRID_COLUMNS.filter((column) => old?.[column] !== row[column]);
    const place = rows.length;
    if (old === undefined) {
      rows.push(row);
    } else if (theirs !== undefined) {
      rows.push({ ...theirs, ...Object.fromEntries(touched.map((name) => [name, row[name]])) });
      const title = old.award_name;
      const differing = GRID_COLUMNS.filter((name) => old[name] !== theirs[name]);
      changes.push(
        ...differing.map((name) => {
          const kept = ![old[name], theirs[name]].includes(row[name]);
          const values = { before: old[name], mine: row[name], theirs: theirs[name] };
          return { name, place, title, ...values, kept };
        }),
      );
    } else if (touched.length > 0) {
      const { id: _id, version: _version, drawn: _drawn, ...values } = row;
      rows.push(values);
      changes.push({ ...none, place, title: old.award_name, kept: true });
    } else {
      changes.push({ ...none, before: old.award_name });
    }
  }
  const kept = new Set(mine.map(({ id }) => id));
  const more = saved.filter(
    ({ id, version }) => !kept.has(id) && base.find((old) => old.id === id)?.version !== version,
  );
  changes.push(...more.map(({ award_name: theirs }) => ({ ...none, mine: theirs, theirs })));
  return { rows: [...rows, ...more], changes };
}
