/** Deposits and bets as tables for files, with the words of the screens. */
import type { Bet } from "@red/contract/events/bet";
import type { Deposit } from "@red/contract/events/deposit";
import { CODE_TEXTS } from "@red/contract/platform/code-texts";
import { amountCell } from "#platform/mask";
import { textCell } from "#tables/output-table";
import type { Cell, Table } from "#tables/output-table";

/** Operators read the files, so the labels are Chinese in every language of the caller. */
const LABELS: Readonly<Record<string, string>> = CODE_TEXTS.zh;

function codeCell(table: "channel" | "client" | "platform", code: number): Cell {
  const unknown = CODE_TEXTS.zh.unknown_code.replace("{code}", String(code));
  return textCell(LABELS[`${table}_${code}`] ?? unknown);
}

type Pages<Row> = AsyncIterable<readonly Row[]>;

type Columns<Row> = readonly (readonly [label: string, cell: (row: Row) => Cell])[];

const DEPOSIT_COLUMNS: Columns<Deposit> = [
  ["账号", (row) => textCell(row.user_name)],
  ["存款金额", (row) => amountCell(row.amount)],
  ["存款时间", (row) => textCell(row.created_at)],
  ["存款单号", (row) => textCell(row.order_no)],
  ["渠道", (row) => codeCell("channel", row.channel)],
  ["客户端", (row) => codeCell("client", row.client)],
  ["状态", (row) => textCell(row.reversed ? "已冲正" : "有效")],
  ["冲正时间", (row) => textCell(row.reversed_at ?? "")],
  ["冲正原因", (row) => textCell(row.reversal_reason ?? "")],
];

const BET_COLUMNS: Columns<Bet> = [
  ["账号", (row) => textCell(row.user_name)],
  ["有效投注额", (row) => amountCell(row.validBetAmount)],
  ["平台", (row) => codeCell("platform", row.type)],
  ["投注时间", (row) => textCell(row.created_at)],
  ["注单号", (row) => textCell(row.bet_no)],
  ["状态", (row) => textCell(row.voided ? "已作废" : "有效")],
  ["作废时间", (row) => textCell(row.voided_at ?? "")],
  ["作废原因", (row) => textCell(row.void_reason ?? "")],
];

async function* cells<Row>(columns: Columns<Row>, pages: Pages<Row>): AsyncGenerator<Cell[][]> {
  for await (const rows of pages) {
    yield rows.map((row) => columns.map(([, cell]) => cell(row)));
  }
}

function tableOf<Row>(title: string, columns: Columns<Row>, pages: Pages<Row>): Table {
  return { title, labels: columns.map(([label]) => label), pages: cells(columns, pages) };
}

export function depositTable(deposits: Pages<Deposit>): Table {
  return tableOf("存款记录", DEPOSIT_COLUMNS, deposits);
}

export function betTable(bets: Pages<Bet>): Table {
  return tableOf("投注记录", BET_COLUMNS, bets);
}
