/** Records as a table for a file (behaviour §11), with the words of the screens. */
import { CODE_TEXTS } from "@red/contract/platform/code-texts";
import { formatDateTime } from "@red/contract/platform/datetime";
import { STATUS_OF_STATE } from "@red/contract/platform/codes";
import type { PayoutState } from "@red/contract/platform/codes";
import { formatCents, HIDDEN } from "@red/contract/platform/money";
import { walletReason } from "@red/contract/payouts/wallet-reason";
import { amountCell } from "#platform/mask";
import { EMPTY } from "#tables/output-table";
import type { Cell, Table } from "#tables/output-table";
import type { RecordTexts } from "./record-sql.ts";

/** Operators read the files, so the labels are Chinese in every language of the caller. */
const LABELS = CODE_TEXTS.zh;

/** Converts UTC texts to local times. Caches the last minute, because most rows have the minute of the row before. */
function localTimes(timeZone: string): (text: string) => string {
  let minute = "never";
  let local = "";
  return (text) => {
    if (text !== "" && !text.startsWith(minute)) {
      minute = text.slice(0, 16);
      local = formatDateTime(new Date(`${minute.replace(" ", "T")}Z`), timeZone).slice(0, 16);
    }
    return text === "" ? "" : local + text.slice(16, 19);
  };
}

const text = (value: string): Cell => (value === "" ? EMPTY : value);

/** Makes cells from numbers. Caches the last number, because most rows have the number of the row before. */
function numbers(format = (value: string) => value): (value: string) => Cell {
  let before = "";
  let cell: Cell = EMPTY;
  return (value) => {
    if (value !== before) {
      before = value;
      cell = amountCell(format(value));
    }
    return cell;
  };
}

/**
 * Returns the columns of the file. Record ids are text, because they have sixteen digits and
 * spreadsheets store only fifteen digits of a number.
 */
function columnsOf(
  timeZone: string,
): readonly (readonly [label: string, cell: (record: RecordTexts) => Cell])[] {
  const drawn = localTimes(timeZone);
  const paid = localTimes(timeZone);
  const [round, turnover, attempts] = [numbers(), numbers(), numbers()];
  const price = numbers((cents) => (cents === HIDDEN ? cents : formatCents(Number(cents))));
  // The database allows no other state.
  const stateOf = ({ state }: RecordTexts) => state as PayoutState;
  return [
    ["记录ID", (record) => text(record.log_id)],
    ["活动ID", (record) => round(record.rounds_id)],
    ["活动名称", (record) => text(record.rounds_name)],
    ["玩家ID", (record) => text(record.player_id)],
    ["账号", (record) => text(record.user_name)],
    ["奖品", (record) => text(record.award_name)],
    ["面额", (record) => price(record.cents)],
    ["类型", ({ goods }) => text(goods === "true" ? LABELS.type_physical : LABELS.type_virtual)],
    ["抽奖时间", (record) => text(drawn(record.created_at))],
    ["流水倍数", (record) => turnover(record.turnover)],
    ["发放状态", (record) => text(LABELS[`status_${STATUS_OF_STATE[stateOf(record)]}`])],
    ["发放说明", (record) => text(LABELS[`state_${stateOf(record)}`])],
    ["失败原因", (record) => text(walletReason(record.fail_reason || record.check_reason, "zh"))],
    ["备注", (record) => text(record.note)],
    ["到账时间", (record) => text(paid(record.paid_at))],
    ["流水号", (record) => text(record.trans_sn)],
    ["钱包单号", (record) => text(record.wallet_ref)],
    ["发放次数", (record) => attempts(record.attempts)],
  ];
}

export function recordTable(pages: AsyncIterable<readonly RecordTexts[]>, timeZone: string): Table {
  const columns = columnsOf(timeZone);
  const makers = columns.map(([, cell]) => cell);
  async function* cells(): AsyncGenerator<Cell[][]> {
    for await (const records of pages) {
      yield records.map((record) => makers.map((cell) => cell(record)));
    }
  }
  return { title: "发放记录", labels: columns.map(([label]) => label), pages: cells() };
}
