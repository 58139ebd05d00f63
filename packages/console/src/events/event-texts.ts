import { catalogue } from "@red/contract/platform/catalogue";

export const EVENT_TEXTS = catalogue({
  tabs: ["存款投注", "Deposits and bets"],
  tab_deposit: ["存款查询", "Deposits"],
  tab_bet: ["投注查询", "Bets"],
  filter_deposit: ["存款查询条件", "Deposit filters"],
  filter_bet: ["投注查询条件", "Bet filters"],
  list_deposit: ["存款列表", "Deposits"],
  list_bet: ["投注列表", "Bets"],
  time: ["时间范围", "Time"],
  rounds_name: ["活动名称", "Activity"],
  amount: ["存款金额", "Amount"],
  valid_bet: ["有效投注额", "Valid bet"],
  order_no: ["订单号", "Order"],
  bet_no: ["注单号", "Bet number"],
  counts: ["有效", "Valid"],
  reversed: ["已冲正", "Reversed"],
  voided: ["已作废", "Voided"],
  late: ["迟到", "Late"],
  arrived: ["{at} 到达", "reached us at {at}"],
  totals: ["合计", "Totals"],
  deposit_total: ["存款总额", "All deposits"],
  bet_total: ["投注总额", "All bets"],
  page_total: ["本页小计", "This page"],
  totals_note: [
    "已冲正、已作废的记录显示在列表中，不计入金额。",
    "Reversed and voided rows are listed but not counted.",
  ],
  window_note: [
    "按活动「{name}」的条件时间 {start} ~ {end} 查询。",
    "Searched in the condition window of “{name}”, {start} ~ {end}.",
  ],
});

declare module "i18next" {
  interface ResourceNamespaceMap {
    event: typeof EVENT_TEXTS.zh;
  }
}
