/** A month as one workbook for finance: the month, its rounds, their prizes and exceptions (behaviour §6). */
import { SHOWN_FIGURES, shownFigures } from "@red/contract/finance/sheet";
import type { Db } from "#platform/db/connection";
import { fromSnapshot } from "#platform/db/snapshot";
import { EMPTY, numberCell, textCell } from "#tables/output-table";
import type { Cell } from "#tables/output-table";
import { readMonth, totalOf } from "./month.ts";
import type { MonthSheet } from "./month.ts";
import { EXCEPTION_LABELS, exceptionRows, LINES, shownExceptions } from "./sheet-file.ts";
import { streamSheetExceptions } from "./sheet-sql.ts";

type Rows = readonly (readonly Cell[])[];

const FIGURE_LABELS = SHOWN_FIGURES.flatMap((name) => [`${LINES[name]}条数`, `${LINES[name]}金额`]);
const DIFFERENCE_LABELS = ["与对账单之差条数", "与对账单之差金额"];
const ROUND_LABELS = ["活动ID", "活动名称"];

function pair(figure: MonthSheet["difference"]): Cell[] {
  return figure ? [numberCell(figure.count), numberCell(figure.amount)] : [EMPTY, EMPTY];
}

function figureCells(of: Parameters<typeof shownFigures>[0]): Cell[] {
  return shownFigures(of).flatMap(pair);
}

function roundCells({ rounds_id, rounds_name }: MonthSheet): Cell[] {
  return [textCell(String(rounds_id)), textCell(rounds_name)];
}

function monthRows(month: string, sheets: readonly MonthSheet[]): Rows {
  const total = { ...totalOf(sheets), prizes: sheets.flatMap(({ prizes }) => prizes) };
  const signed = sheets.filter((sheet) => sheet.signed?.is_current === true).length;
  const counts = [textCell(month), numberCell(sheets.length), numberCell(signed)];
  return [[...counts, ...figureCells(total), ...pair(total.difference)]];
}

function roundRows(sheets: readonly MonthSheet[]): Rows {
  return sheets.map((sheet) => [
    ...roundCells(sheet),
    textCell(sheet.start_time),
    textCell(sheet.end_time),
    ...figureCells(sheet),
    ...pair(sheet.difference),
    textCell(sheet.not_ready),
    textCell(sheet.signed?.by ?? null),
    textCell(sheet.signed?.at ?? null),
    textCell(sheet.signed === null ? null : sheet.signed.is_current ? "是" : "否"),
    textCell(sheet.hash),
  ]);
}

function prizeRows(sheets: readonly MonthSheet[]): Rows {
  return sheets.flatMap((sheet) =>
    sheet.prizes.map((prize) => [
      ...roundCells(sheet),
      textCell(prize.award_name),
      numberCell(prize.award_price),
      ...figureCells({ ...prize, prizes: [prize] }),
    ]),
  );
}

/**
 * Returns the sheets of the workbook, from one snapshot. The first three sheets are read completely before
 * the first row is written.
 */
export function monthTables(db: Db, month: string, timeZone: string, mask: <T>(rows: T) => T) {
  let sheets: readonly MonthSheet[] = [];
  // The first table starts this generator. The last table (exceptions) reads the generator to its end.
  const read = fromSnapshot(db, async function* pages(view): AsyncGenerator<Rows> {
    sheets = await readMonth(view, month, timeZone, "zh");
    yield [];
    for (const sheet of sheets) {
      for await (const page of streamSheetExceptions(view, sheet.rounds_id)) {
        const rows = exceptionRows(mask(shownExceptions(page, timeZone)));
        yield rows.map((cells) => [...roundCells(sheet), ...cells]);
      }
    }
  });
  async function* afterReading(rows: () => Rows, isFirst = false) {
    if (isFirst) {
      await read.next();
    }
    yield rows();
  }
  return [
    {
      title: "月度",
      labels: ["月份", "活动数", "已签核", ...FIGURE_LABELS, ...DIFFERENCE_LABELS],
      pages: afterReading(() => monthRows(month, sheets), true),
    },
    {
      title: "活动",
      labels: [
        ...ROUND_LABELS,
        "开始时间",
        "结束时间",
        ...FIGURE_LABELS,
        ...DIFFERENCE_LABELS,
        "未能签核的原因",
        "签核人",
        "签核时间",
        "是否为当前数据",
        "数据指纹",
      ],
      pages: afterReading(() => roundRows(sheets)),
    },
    {
      title: "奖品",
      labels: [...ROUND_LABELS, "奖品", "面额", ...FIGURE_LABELS],
      pages: afterReading(() => prizeRows(sheets)),
    },
    { title: "异常", labels: [...ROUND_LABELS, ...EXCEPTION_LABELS], pages: read },
  ];
}
