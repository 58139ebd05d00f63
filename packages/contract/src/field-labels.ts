/**
 * Display names of fields in faults that operators read, the same as in the forms. A field that no form
 * shows keeps its wire name, and so do all fields of platform calls.
 */
import type { PrizeFileColumn } from "./prize.ts";
import type { Language } from "./texts.ts";

const zh = {
  /* Activities. */
  rounds_name: "活动名称",
  tag: "活动组别",
  red_code: "站内信",
  pool_name: "奖池",
  condition_name: "数据源",
  condition_formula: "计算方式",
  condition_value: "条件值",
  condition_times: "可抽取次数",
  condition_type: "是否叠加",
  turnover: "流水倍数",
  draws_max: "本活动每人上限",
  day_draws_max: "每人每日上限",
  platforms: "平台",
  achieve_start_time: "条件开始时间",
  achieve_end_time: "条件结束时间",
  start_time: "开始时间",
  end_time: "结束时间",
  start_date: "活动日期",
  rounds_status: "活动状态",
  rounds_id: "活动ID",
  /* Prizes. */
  award_name: "奖品",
  award_price: "奖品额度",
  weight: "权重",
  award_total: "奖品总数",
  floors: "是否保底",
  add: "增加数量",
  /* Players and their extra times. */
  user_name: "账号",
  user_names: "账号",
  player_name: "账号",
  expire_time: "过期时间",
  kind: "排除类型",
  until: "截止时间",
  expire_times: "过期时间",
  /* Records, deposits and bets. */
  award_status: "发放状态",
  channel: "存款渠道",
  client: "客户端",
  type: "平台",
  log_ids: "记录ID",
  note: "备注",
  reason: "原因",
  /* Groups and message codes; signing in. */
  label: "名称",
  username: "用户名",
  password: "密码",
  code: "动态验证码",
} as const satisfies Record<PrizeFileColumn, string> & Record<string, string>;

type LabelledField = keyof typeof zh;

const en: Readonly<Record<LabelledField, string>> = {
  rounds_name: "Name",
  tag: "Group",
  red_code: "Message code",
  pool_name: "Pool",
  condition_name: "Data source",
  condition_formula: "Counting",
  condition_value: "Value",
  condition_times: "Draws",
  condition_type: "Repeats",
  turnover: "Turnover",
  draws_max: "Draws per player",
  day_draws_max: "Draws per player and day",
  platforms: "Platforms",
  achieve_start_time: "Condition start",
  achieve_end_time: "Condition end",
  start_time: "Start",
  end_time: "End",
  start_date: "Activity date",
  rounds_status: "Status",
  rounds_id: "Activity ID",
  award_name: "Prize",
  award_price: "Amount",
  weight: "Weight",
  award_total: "Total",
  floors: "Guaranteed",
  add: "Pieces to add",
  user_name: "Account",
  user_names: "Account",
  player_name: "Account",
  expire_time: "Expires",
  kind: "Kind",
  until: "Until",
  expire_times: "Expires",
  award_status: "Status",
  channel: "Channel",
  client: "Client",
  type: "Platform",
  log_ids: "Record IDs",
  note: "Note",
  reason: "Reason",
  label: "Name",
  username: "User name",
  password: "Password",
  code: "One-time code",
};

export const FIELD_LABELS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  zh,
  en,
};
