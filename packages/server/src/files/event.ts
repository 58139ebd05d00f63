/** Deposits and bets as tables, in the words of the screens. */
import type { Bet } from "@red/contract/bet";
import type { Deposit } from "@red/contract/deposit";
import { numberCell, textCell } from "./table.ts";
import type { Cell, Table } from "./table.ts";

const CHANNELS: Readonly<Record<Deposit["channel"], string>> = {
  1: "人工",
  2: "ATM",
  3: "第三方",
  4: "TPPPay",
  5: "聚合",
  6: "AA",
  7: "绿色通道",
  8: "限时",
  9: "代充",
};

const CLIENTS: Readonly<Record<Deposit["client"], string>> = { 1: "Web", 2: "WAP", 3: "APP" };

const PLATFORMS: Readonly<Record<Bet["type"], string>> = {
  1234: "真人",
  2234: "体育",
  3234: "电子",
  5234: "棋牌",
  6234: "电竞",
  7234: "捕鱼",
};

type Columns<Row> = readonly (readonly [label: string, cell: (row: Row) => Cell])[];

const DEPOSIT_COLUMNS: Columns<Deposit> = [
  ["账号", (row) => textCell(row.user_name)],
  ["存款金额", (row) => numberCell(row.amount)],
  ["存款时间", (row) => textCell(row.created_at)],
  ["存款单号", (row) => textCell(row.order_no)],
  ["渠道", (row) => textCell(CHANNELS[row.channel])],
  ["客户端", (row) => textCell(CLIENTS[row.client])],
  ["状态", (row) => textCell(row.reversed ? "已冲正" : "有效")],
];

const BET_COLUMNS: Columns<Bet> = [
  ["账号", (row) => textCell(row.user_name)],
  ["有效投注额", (row) => numberCell(row.validBetAmount)],
  ["平台", (row) => textCell(PLATFORMS[row.type])],
  ["投注时间", (row) => textCell(row.created_at)],
  ["注单号", (row) => textCell(row.bet_no)],
  ["状态", (row) => textCell(row.voided ? "已作废" : "有效")],
];

async function* cells<Row>(
  columns: Columns<Row>,
  rows: AsyncIterable<Row>,
): AsyncGenerator<readonly Cell[]> {
  for await (const row of rows) {
    yield columns.map(([, cell]) => cell(row));
  }
}

function tableOf<Row>(title: string, columns: Columns<Row>, rows: AsyncIterable<Row>): Table {
  return { title, labels: columns.map(([label]) => label), rows: cells(columns, rows) };
}

/** The deposits as a table, made as they come. */
export function depositTable(deposits: AsyncIterable<Deposit>): Table {
  return tableOf("存款记录", DEPOSIT_COLUMNS, deposits);
}

/** The bets as a table, made as they come. */
export function betTable(bets: AsyncIterable<Bet>): Table {
  return tableOf("投注记录", BET_COLUMNS, bets);
}
