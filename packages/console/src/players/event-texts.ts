/** Texts of the deposit and bet queries (spec §2, §5). */
const zh = {
  tabs: "存款投注",
  tab_deposit: "存款查询",
  tab_bet: "投注查询",
  filter_deposit: "存款查询条件",
  filter_bet: "投注查询条件",
  list_deposit: "存款列表",
  list_bet: "投注列表",
  time: "时间范围",
  rounds_name: "活动名称",
  amount: "存款金额",
  valid_bet: "有效投注额",
  order_no: "订单号",
  bet_no: "注单号",
  counts: "有效",
  reversed: "已冲正",
  voided: "已作废",
  late: "迟到",
  arrived: "{at} 到达",
  totals: "合计",
  deposit_total: "存款总额",
  bet_total: "投注总额",
  page_total: "本页小计",
  totals_note: "已冲正、已作废的记录显示在列表中，不计入金额。",
  window_note: "按活动「{name}」的条件时间 {start} ~ {end} 查询。",
} as const;

const en: Readonly<Record<keyof typeof zh, string>> = {
  tabs: "Deposits and bets",
  tab_deposit: "Deposits",
  tab_bet: "Bets",
  filter_deposit: "Deposit filters",
  filter_bet: "Bet filters",
  list_deposit: "Deposits",
  list_bet: "Bets",
  time: "Time",
  rounds_name: "Activity",
  amount: "Amount",
  valid_bet: "Valid bet",
  order_no: "Order",
  bet_no: "Bet number",
  counts: "Valid",
  reversed: "Reversed",
  voided: "Voided",
  late: "Late",
  arrived: "reached us at {at}",
  totals: "Totals",
  deposit_total: "All deposits",
  bet_total: "All bets",
  page_total: "This page",
  totals_note: "Reversed and voided rows are listed but not counted.",
  window_note: "Searched in the condition window of “{name}”, {start} ~ {end}.",
};

export const EVENT_TEXTS = { zh, en };

declare module "i18next" {
  interface ResourceNamespaceMap {
    event: typeof zh;
  }
}
