/**
 * Display names of fields in errors for operators, equal to the labels of the forms. Fields that no form
 * shows, and all fields of platform calls, keep their API name.
 */
import type { PrizeFileColumn } from "./prize.ts";
import { catalogue } from "#platform/catalogue";
import type { Said } from "#platform/catalogue";

export const FIELD_LABELS = catalogue({
  /* Activities. */
  rounds_name: ["活动名称", "Name"],
  tag: ["活动组别", "Group"],
  red_code: ["站内信", "Message code"],
  pool_name: ["奖池", "Pool"],
  condition_name: ["数据源", "Data source"],
  condition_formula: ["计算方式", "Counting"],
  condition_value: ["条件值", "Value"],
  condition_times: ["可抽取次数", "Draws"],
  condition_type: ["是否叠加", "Repeats"],
  turnover: ["流水倍数", "Turnover"],
  draws_max: ["本活动每人上限", "Draws per player"],
  day_draws_max: ["每人每日上限", "Draws per player and day"],
  platforms: ["平台", "Platforms"],
  achieve_start_time: ["条件开始时间", "Condition start"],
  achieve_end_time: ["条件结束时间", "Condition end"],
  start_time: ["开始时间", "Start"],
  end_time: ["结束时间", "End"],
  start_date: ["活动日期", "Activity date"],
  rounds_status: ["活动状态", "Status"],
  rounds_id: ["活动ID", "Activity ID"],
  /* Prizes. */
  award_name: ["奖品", "Prize"],
  award_price: ["奖品额度", "Amount"],
  weight: ["权重", "Weight"],
  award_total: ["奖品总数", "Total"],
  floors: ["是否保底", "Guaranteed"],
  add: ["增加数量", "Pieces to add"],
  /* Players and their extra times. */
  user_name: ["账号", "Account"],
  user_names: ["账号", "Account"],
  player_name: ["账号", "Account"],
  expire_time: ["过期时间", "Expires"],
  kind: ["排除类型", "Kind"],
  until: ["截止时间", "Until"],
  expire_times: ["过期时间", "Expires"],
  /* Records, deposits and bets. */
  award_status: ["发放状态", "Status"],
  payout_state: ["发放说明", "Payout state"],
  trans_sn: ["流水号", "Transaction"],
  order: ["排序", "Order"],
  channel: ["存款渠道", "Channel"],
  client: ["客户端", "Client"],
  type: ["平台", "Platform"],
  log_ids: ["记录ID", "Record IDs"],
  note: ["备注", "Note"],
  reason: ["原因", "Reason"],
  /* Groups and message codes; sign-in. */
  label: ["名称", "Name"],
  view_name: ["视图名称", "View name"],
  username: ["用户名", "User name"],
  password: ["密码", "Password"],
  code: ["动态验证码", "One-time code"],
} satisfies Record<PrizeFileColumn, Said> & Record<string, Said>);
