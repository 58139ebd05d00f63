/** Labels of the look-up tables (codes.ts), shared by screens, exported files and the look-up call. */
import type {
  AwardStatus,
  CHANNEL_CODES,
  CheckReason,
  CLIENT_CODES,
  ConditionFormula,
  ConditionName,
  ConditionType,
  ExclusionKind,
  PlatformCode,
  PayoutState,
  PresetKey,
  SINGLE_PLATFORM_CODES,
  TASK_TYPE_CODES,
} from "./codes.ts";
import { catalogue } from "./catalogue.ts";
import type { Said } from "./catalogue.ts";

type LookupKey =
  | `preset_${PresetKey}`
  | `state_${PayoutState}`
  | `channel_${(typeof CHANNEL_CODES)[number]}`
  | `client_${(typeof CLIENT_CODES)[number]}`
  | `platform_${PlatformCode}`
  | `single_platform_${(typeof SINGLE_PLATFORM_CODES)[number]}`
  | `task_${(typeof TASK_TYPE_CODES)[number]}`
  | `condition_name_${ConditionName}`
  | `condition_formula_${ConditionFormula | "0"}`
  | `condition_type_${ConditionType | "0"}`
  | `round_${0 | 1}`
  | `status_${AwardStatus}`
  | `apply_${0 | 1 | 2}`
  | `type_${"physical" | "virtual"}`
  | `exclusion_${ExclusionKind}`
  | `check_${CheckReason}`
  | "unknown_code";

export const CODE_TEXTS = catalogue({
  preset_cumulative_deposit_full: ["累计有效存款每满", "Cumulative valid deposit per full"],
  preset_cumulative_deposit_reach: ["累计存款达到", "Cumulative deposit reaching"],
  preset_single_deposit_full: ["单笔存款每满", "Single deposit per full"],
  preset_single_deposit_reach: ["单笔存款达到", "Single deposit reaching"],
  preset_cumulative_bet_full: ["累计有效投注每满", "Cumulative valid bet per full"],
  preset_cumulative_bet_reach: ["累计投注达到", "Cumulative bet reaching"],
  preset_single_bet_full: ["单笔投注每满", "Single bet per full"],
  preset_single_bet_reach: ["单笔投注达到", "Single bet reaching"],
  preset_no_limit: ["不限", "No limit"],
  preset_whitelist: ["白名单", "Whitelist"],
  state_queued: ["排队中", "Queued"],
  state_sending: ["发送中", "Sending"],
  state_unknown: ["结果待确认", "Outcome unknown"],
  state_check: ["待人工核对", "To be checked"],
  state_waiting_delivery: ["待发货", "To deliver"],
  state_paid: ["已到账", "Paid"],
  state_delivered: ["已发货", "Delivered"],
  state_refused: ["被拒绝", "Refused"],
  state_closed: ["已关闭", "Closed"],
  channel_1: ["人工存款", "Manual"],
  channel_2: ["ATM", "ATM"],
  channel_3: ["第三方", "Third-party"],
  channel_4: ["TPPPay", "TPPPay"],
  channel_5: ["聚合支付", "Aggregate"],
  channel_6: ["AA", "AA"],
  channel_7: ["绿色通道", "Green channel"],
  channel_8: ["限时", "Limited-time"],
  channel_9: ["代理充值", "Proxy top-up"],
  client_1: ["web", "web"],
  client_2: ["wap", "wap"],
  client_3: ["app", "app"],
  platform_1234: ["真人", "Live games"],
  platform_2234: ["体育", "Sports"],
  platform_3234: ["电子", "Slots"],
  platform_5234: ["棋牌", "Board games"],
  platform_6234: ["电竞", "Esports"],
  platform_7234: ["捕鱼", "Fishing"],
  single_platform_1: ["真人", "Live games"],
  single_platform_2: ["体育", "Sports"],
  single_platform_3: ["电子", "Slots"],
  single_platform_5: ["棋牌", "Board games"],
  single_platform_6: ["电竞", "Esports"],
  single_platform_7: ["捕鱼", "Fishing"],
  task_1: ["累计有效存款", "Cumulative valid deposit"],
  task_2: ["真人流水达标", "Live casino turnover reaching a target"],
  task_3: ["电竞流水达标", "Esports turnover reaching a target"],
  task_4: ["电子流水达标", "Slots turnover reaching a target"],
  task_5: ["棋牌流水达标", "Board/card games turnover reaching a target"],
  task_6: ["体育流水达标", "Sports betting turnover reaching a target"],
  condition_name_0: ["不限", "No limit"],
  condition_name_1: ["投注", "Bet"],
  condition_name_2: ["存款", "Deposit"],
  condition_name_3: ["白名单", "Whitelist"],
  condition_formula_0: ["不适用", "Not applicable"],
  condition_formula_1: ["累计", "Cumulative"],
  condition_formula_3: ["单笔", "Single"],
  condition_type_0: ["不适用", "Not applicable"],
  condition_type_1: ["仅一次", "Once"],
  condition_type_2: ["可重复", "Repeatable"],
  round_0: ["暂停", "Paused"],
  round_1: ["启用", "Active"],
  unknown_code: ["未知({code})", "Unknown ({code})"],
  status_0: ["发放中", "Sending"],
  status_1: ["成功", "Success"],
  status_2: ["失败", "Failed"],
  apply_0: ["未使用", "Unused"],
  apply_1: ["已使用", "Used"],
  apply_2: ["已过期", "Expired"],
  type_physical: ["实物", "Physical"],
  type_virtual: ["虚拟", "Virtual"],
  check_unanswered: [
    "超过 24 小时未得到钱包明确答复",
    "No clear response from the wallet for 24 hours",
  ],
  check_past_retention: [
    "首次发放已超过钱包的记录保存期，钱包没有这笔，不能安全再发",
    "First sent longer ago than the wallet remembers, and unknown to it: not safe to send again",
  ],
  exclusion_self: ["自我排除", "Self-exclusion"],
  exclusion_cooling_off: ["冷静期", "Cooling-off"],
  exclusion_risk: ["风控", "Risk control"],
  exclusion_staff: ["内部员工", "Staff"],
} satisfies Record<LookupKey, Said>);
