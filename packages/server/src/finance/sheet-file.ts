/** The sheet of a round as a file for finance, with its sections one below the other (behaviour §6). */
import { formatDateTime } from "@red/contract/platform/datetime";
import { CODE_TEXTS } from "@red/contract/platform/code-texts";
import { formatCents } from "@red/contract/platform/money";
import { SHOWN_FIGURES, shownFigures } from "@red/contract/finance/sheet";
import type { Sheet } from "@red/contract/finance/sheet";
import { walletReason } from "@red/contract/payouts/wallet-reason";
import { amountCell } from "#platform/mask";
import { EMPTY, numberCell, textCell } from "#tables/output-table";
import type { Cell, Table } from "#tables/output-table";
import type { SheetExceptionRow } from "./sheet-sql.ts";

/** The names of payout states on the screens. */
const LABELS = CODE_TEXTS.zh;

export const LINES: Readonly<Record<(typeof SHOWN_FIGURES)[number], string>> = {
  drawn: "已抽出",
  paid: "已到账",
  pending: "待发放",
  to_deliver: LABELS.state_waiting_delivery,
  unknown: LABELS.state_unknown,
  refused: "失败",
  closed: "已关闭",
  delivered: "已发货",
};

function row(name: string, { count, amount }: Sheet["drawn"], ...more: readonly Cell[]): Cell[] {
  return [textCell(name), numberCell(count), numberCell(amount), ...more];
}

function head(...labels: readonly string[]): Cell[] {
  return labels.map(textCell);
}

export const EXCEPTION_LABELS = [
  "异常记录ID",
  "账号",
  "金额",
  "奖品",
  "流水号",
  "发放说明",
  "原因",
  "抽奖时间",
] as const;

export type SheetTop = Omit<Sheet, "exceptions">;

function totals(sheet: SheetTop): Cell[][] {
  return [
    head("活动ID", String(sheet.rounds_id)),
    head("活动名称", sheet.rounds_name),
    head("活动时间", `${sheet.start_time} 至 ${sheet.end_time}`),
    [],
    head("汇总", "条数", "金额"),
    ...shownFigures(sheet).map((figure) => row(LINES[figure.name], figure)),
    row("差额", sheet.difference),
    [],
    head("钱包", "条数", "金额"),
    row("对账单", sheet.wallet.listed),
    row("已到账与对账单之差", sheet.wallet.difference),
    head("对账范围", sheet.wallet.covered ? "已覆盖" : "未覆盖"),
    head("对账单截至", sheet.statement.until ?? ""),
    row("截至后到账未核对", sheet.statement.later),
    [textCell("未处理差异"), numberCell(sheet.wallet.open_breaks)],
    [textCell("已确认差异"), numberCell(sheet.statement.accepted_breaks)],
    [],
  ];
}

function prizes(sheet: SheetTop): Cell[][] {
  const labels = SHOWN_FIGURES.flatMap((name) => [`${LINES[name]}条数`, `${LINES[name]}金额`]);
  return [
    head("奖品", "抽出条数", "抽出金额", "面额", ...labels.slice(2)),
    ...sheet.prizes.map((prize) =>
      row(
        prize.award_name,
        prize.drawn,
        numberCell(prize.award_price),
        ...shownFigures({ ...prize, prizes: [prize] })
          .slice(1)
          .flatMap(({ count, amount }) => [numberCell(count), numberCell(amount)]),
      ),
    ),
    [],
  ];
}

function signOffs(sheet: SheetTop): Cell[][] {
  return [
    head("签核", "时间", "数据指纹", "备注", "是否为当前数据", "无他人可签"),
    ...sheet.sign_offs.map((sign) => [
      textCell(sign.signed_by),
      textCell(sign.signed_at),
      textCell(sign.hash),
      textCell(sign.note),
      textCell(sign.is_current ? "是" : "否"),
      textCell(sign.is_alone ? "签核人在本场次中操作过，当时无他人可签" : ""),
    ]),
    head("当前数据指纹", "", sheet.hash),
    [],
  ];
}

/** Returns totals, wallet, prizes and signatures, then the header of the exceptions. */
export function topRows(sheet: SheetTop): Cell[][] {
  return [
    ...[...totals(sheet), ...prizes(sheet), ...signOffs(sheet)].map((cells) =>
      cells.length === 0 ? [EMPTY] : cells,
    ),
    head(...EXCEPTION_LABELS),
  ];
}

/** Converts exceptions to their API form. */
export function shownExceptions(rows: readonly SheetExceptionRow[], timeZone: string) {
  return rows.map(({ amount_cents, state, created_at, ...row }) => ({
    ...row,
    amount: formatCents(amount_cents),
    payout_state: state,
    created_at: formatDateTime(created_at, timeZone),
  }));
}

export function exceptionRows(exceptions: Sheet["exceptions"]["content"]): Cell[][] {
  return exceptions.map((record) => [
    textCell(String(record.log_id)),
    textCell(record.user_name),
    amountCell(record.amount),
    textCell(record.award_name),
    textCell(record.trans_sn),
    textCell(LABELS[`state_${record.payout_state}`]),
    textCell(record.reason && walletReason(record.reason, "zh")),
    textCell(record.created_at),
  ]);
}

export function sheetTable(pages: Table["pages"]): Table {
  return { title: "活动对账表", labels: ["项目", "条数", "金额"], pages };
}
