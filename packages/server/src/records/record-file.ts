/** Records as a file table (behaviour §11), in the words of the screens. */
import { LOOKUP_TEXTS } from "@red/contract/lookup-texts";
import type { CheckReason } from "@red/contract/lookups";
import type { DrawRecord } from "@red/contract/record";
import { numberCell, textCell } from "#tables/output-table";
import type { Cell, Table } from "#tables/output-table";

/** Operators read the files, whatever the caller's language. */
const LABELS = LOOKUP_TEXTS.zh;

const CHECKS: Readonly<Record<CheckReason, string>> = {
  unanswered: "超过 24 小时未得到钱包明确答复",
  past_retention: "首次发放已超过钱包的记录保存期，钱包没有这笔",
};

/** Why it is not paid: the wallet's reason, else the reason of the manual check. */
function reasonOf({ fail_reason, check_reason }: DrawRecord): string | null {
  return fail_reason ?? (check_reason === null ? null : CHECKS[check_reason]);
}

/** Spreadsheets keep fifteen digits of a number; record ids have sixteen, so they are text. */
const COLUMNS: readonly (readonly [label: string, cell: (record: DrawRecord) => Cell])[] = [
  ["记录ID", (record) => textCell(String(record.log_id))],
  ["活动ID", (record) => numberCell(record.rounds_id)],
  ["活动名称", (record) => textCell(record.rounds_name)],
  ["玩家ID", (record) => textCell(record.player_id)],
  ["账号", (record) => textCell(record.user_name)],
  ["奖品", (record) => textCell(record.award_name)],
  ["面额", (record) => numberCell(record.award_price)],
  ["类型", (record) => textCell(LABELS[`type_${record.type}`])],
  ["抽奖时间", (record) => textCell(record.created_at)],
  ["流水倍数", (record) => numberCell(record.turnover)],
  ["发放状态", (record) => textCell(LABELS[`status_${record.award_status}`])],
  ["发放说明", (record) => textCell(LABELS[`state_${record.payout_state}`])],
  ["失败原因", (record) => textCell(reasonOf(record))],
  ["备注", (record) => textCell(record.note)],
  ["到账时间", (record) => textCell(record.paid_at)],
  ["流水号", (record) => textCell(record.trans_sn)],
  ["钱包单号", (record) => textCell(record.wallet_ref)],
  ["发放次数", (record) => numberCell(record.attempts)],
];

async function* cells(pages: AsyncIterable<readonly DrawRecord[]>): AsyncGenerator<Cell[][]> {
  for await (const records of pages) {
    yield records.map((record) => COLUMNS.map(([, cell]) => cell(record)));
  }
}

export function recordTable(pages: AsyncIterable<readonly DrawRecord[]>): Table {
  return { title: "发放记录", labels: COLUMNS.map(([label]) => label), pages: cells(pages) };
}
