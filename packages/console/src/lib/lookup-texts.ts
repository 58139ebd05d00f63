/** Labels of the look-up tables (contract/lookups.ts), used by several screens. */
import type {
  CHANNEL_CODES,
  CLIENT_CODES,
  PLATFORM_CODES,
  PayoutState,
  PresetKey,
} from "@red/contract/lookups";

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

type Channel = (typeof CHANNEL_CODES)[number];
type Client = (typeof CLIENT_CODES)[number];
type Platform = (typeof PLATFORM_CODES)[number];
type CodeKey = `channel_${Channel}` | `client_${Client}` | `platform_${Platform}`;

const codesZh = {
  channel_1: "人工存款",
  channel_2: "ATM",
  channel_3: "第三方",
  channel_4: "TPPPay",
  channel_5: "聚合支付",
  channel_6: "AA",
  channel_7: "绿色通道",
  channel_8: "限时",
  channel_9: "代理充值",
  client_1: "web",
  client_2: "wap",
  client_3: "app",
  platform_1234: "真人",
  platform_2234: "体育",
  platform_3234: "电子",
  platform_5234: "棋牌",
  platform_6234: "电竞",
  platform_7234: "捕鱼",
} as const satisfies Record<CodeKey, string>;

const zh = {
  ...presetsZh,
  ...statesZh,
  ...codesZh,
  unknown_code: "未知({code})",
  status_0: "发放中",
  status_1: "成功",
  status_2: "失败",
  apply_0: "未使用",
  apply_1: "已使用",
  apply_2: "已过期",
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
  channel_1: "Manual",
  channel_2: "ATM",
  channel_3: "Third party",
  channel_4: "TPPPay",
  channel_5: "Aggregate",
  channel_6: "AA",
  channel_7: "Green channel",
  channel_8: "Limited time",
  channel_9: "Proxy top-up",
  client_1: "web",
  client_2: "wap",
  client_3: "app",
  platform_1234: "Live games",
  platform_2234: "Sports",
  platform_3234: "Slots",
  platform_5234: "Board games",
  platform_6234: "Esports",
  platform_7234: "Fishing",
  unknown_code: "Unknown ({code})",
  status_0: "Sending",
  status_1: "Success",
  status_2: "Failed",
  apply_0: "Unused",
  apply_1: "Used",
  apply_2: "Expired",
  type_physical: "Physical",
  type_virtual: "Virtual",
};

export const LOOKUP_TEXTS = { zh, en };

declare module "i18next" {
  interface ResourceNamespaceMap {
    lookups: typeof zh;
  }
}
