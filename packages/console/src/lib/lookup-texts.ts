/** Labels of the look-up tables (contract/lookups.ts), used by several screens. */
import type { PayoutState, PresetKey } from "@red/contract/lookups";

const presetsZh = {
  preset_cumulative_deposit_full: "累计有效存款每满",
  preset_cumulative_deposit_reach: "累计存款达到",
  preset_single_deposit_full: "单笔存款每满",
  preset_single_deposit_reach: "单笔存款达到",
  preset_cumulative_bet_full: "累计有效投注每满",
  preset_cumulative_bet_reach: "累计投注达到",
  preset_single_bet_full: "单笔投注每满",
  preset_single_bet_reach: "单笔投注达到",
  preset_no_limit: "不限",
  preset_whitelist: "白名单",
} as const satisfies Record<`preset_${PresetKey}`, string>;

const statesZh = {
  state_queued: "排队中",
  state_sending: "发送中",
  state_unknown: "结果待确认",
  state_check: "待人工核对",
  state_waiting_delivery: "待发货",
  state_paid: "已到账",
  state_delivered: "已发货",
  state_refused: "被拒绝",
  state_closed: "已关闭",
} as const satisfies Record<`state_${PayoutState}`, string>;

const zh = {
  ...presetsZh,
  ...statesZh,
  status_0: "发放中",
  status_1: "成功",
  status_2: "失败",
  type_physical: "实物",
  type_virtual: "虚拟",
} as const;

const en: Readonly<Record<keyof typeof zh, string>> = {
  preset_cumulative_deposit_full: "Cumulative valid deposit, per full",
  preset_cumulative_deposit_reach: "Cumulative deposit reaching",
  preset_single_deposit_full: "Single deposit, per full",
  preset_single_deposit_reach: "Single deposit reaching",
  preset_cumulative_bet_full: "Cumulative valid bet, per full",
  preset_cumulative_bet_reach: "Cumulative bet reaching",
  preset_single_bet_full: "Single bet, per full",
  preset_single_bet_reach: "Single bet reaching",
  preset_no_limit: "No limit",
  preset_whitelist: "Whitelist",
  state_queued: "Queued",
  state_sending: "Sending",
  state_unknown: "Outcome unknown",
  state_check: "To be checked",
  state_waiting_delivery: "Waiting for delivery",
  state_paid: "Paid",
  state_delivered: "Delivered",
  state_refused: "Refused",
  state_closed: "Closed",
  status_0: "Sending",
  status_1: "Success",
  status_2: "Failed",
  type_physical: "Physical",
  type_virtual: "Virtual",
};

export const LOOKUP_TEXTS = { zh, en };

declare module "i18next" {
  interface ResourceNamespaceMap {
    lookups: typeof zh;
  }
}
