import { catalogue } from "@red/contract/platform/catalogue";

export const STOP_TEXTS = catalogue({
  stop_everything: ["全部暂停", "Stop everything"],
  start_everything: ["恢复运行", "Start again"],
  stop_payouts: ["只暂停发放", "Stop payouts only"],
  stop_title: ["全部暂停？", "Stop everything?"],
  stop_content: [
    "立即暂停所有抽奖和发放：玩家的抽奖会被拒绝，次数保留；发放留在队列，已发出的请求会处理完。恢复者须输入动态验证码。",
    "Stops all draws and payouts at once: draws are refused and chances are kept; payouts stay in the queue, calls already sent finish. Whoever starts again needs a one-time code.",
  ],
  stop_reason: ["原因（选填）", "Reason (optional)"],
  start: ["恢复", "Start"],
  start_title_everything: ["恢复抽奖和发放", "Start draws and payouts"],
  start_title_draws: ["恢复抽奖", "Start draws"],
  start_title_payouts: ["恢复发放", "Start payouts"],
  start_title_pool: ["恢复奖池的抽奖", "Start the draws from a pool"],
  start_content_draws: [
    "恢复后，进行中且未暂停的活动可以立即抽奖。",
    "Running activities that are not paused can be drawn from at once.",
  ],
  start_content_draws_but_pools: [
    "恢复后，进行中且未暂停的活动可以立即抽奖，使用仍停抽的奖池的除外。",
    "Running activities that are not paused can be drawn from at once, except those on a pool that stays stopped.",
  ],
  start_content_payouts: [
    "队列中的发放在恢复后立即继续。",
    "The payouts in the queue continue at once.",
  ],
  start_content_pool: [
    "恢复后，使用奖池「{name}」、进行中且未暂停的活动可以立即抽奖。",
    "Running activities on the pool “{name}” that are not paused can be drawn from at once.",
  ],
  start_content_pool_waits: [
    "恢复后，使用奖池「{name}」的活动仍不能抽奖，要等全部抽奖恢复。",
    "Activities on the pool “{name}” still cannot be drawn from until all draws are started too.",
  ],
  still: ["仍然暂停：{what}。", "Still stopped: {what}."],
  still_draws: ["全部抽奖", "all draws"],
  still_payouts: ["全部发放", "all payouts"],
  still_pool: ["奖池「{name}」的抽奖", "draws from the pool “{name}”"],
  code_hint: [
    "请输入验证器上的 6 位数字，每个验证码只能使用一次",
    "Enter the 6 digits of your authenticator; each code works once",
  ],
  use_recovery: ["使用恢复码", "Use a recovery code"],
  use_authenticator: ["使用验证器", "Use the authenticator"],
  recovery_code: ["恢复码", "Recovery code"],
  recovery_hint: [
    "25 个字母（旧的 12 个），每个恢复码只能使用一次",
    "25 letters, or 12 for an older one; each recovery code works once",
  ],
  banner_everything: ["抽奖和发放已全部暂停", "All draws and payouts are stopped"],
  banner_draws: ["所有抽奖已暂停", "All draws are stopped"],
  banner_payouts: ["发放已暂停，新的发放在队列中等待", "Payouts are stopped and wait in the queue"],
  banner_pool: ["奖池「{name}」的抽奖已暂停", "Draws from the pool “{name}” are stopped"],
  banner_since: ["{since} 起，由 {by} 暂停", "since {since}, by {by}"],
  banner_reason: ["原因：{reason}", "Reason: {reason}"],
  start_label: ["恢复：{what}", "Start: {what}"],
  draws_of_pool: ["本池抽奖", "Draws from it"],
  draws_of_pool_label: ["奖池「{name}」的抽奖开关", "Draws from the pool “{name}”"],
  toggle_on: ["{what}：开启", "{what}: on"],
  toggle_off: ["{what}：已暂停", "{what}: stopped"],
  risk_title: ["确认大额变动", "Confirm a costly change"],
  risk_content: [
    "可能多支出的金额超过 {sum}。请核对以下金额，再输入动态验证码。",
    "It may cost more than {sum} extra. Check these amounts, then enter the one-time code.",
  ],
  risked_content: [
    "最近 24 小时内未经验证码确认的修改可能多支出 {risked}，连同本次超过 {sum}。请核对以下金额，再输入动态验证码。",
    "Your changes of the last 24 hours without a code may cost {risked} extra; with this one that is more than {sum}. Check these amounts, then enter the one-time code.",
  ],
  risked_before: [
    "最近 24 小时内您的其他修改，合并计算",
    "Your other changes of 24 hours, counted with it",
  ],
  risk_most: ["到结束最多多支出约 {sum}", "Costs up to about {sum} more until the end"],
  risk_free: ["不增加支出", "Costs nothing more"],
  risk_mark: ["（最多约 {sum}）", " (up to about {sum})"],
  takes: ["提交时需要：{what}。", "Sending it takes: {what}."],
  takes_code: ["动态验证码", "a one-time code"],
  takes_reason: ["原因", "a reason"],
  takes_second: ["他人审批", "a second person"],
  takes_and: ["、", ", "],
  risk_pool: ["奖池「{name}」", "Pool “{name}”"],
  risk_draw: ["单抽期望成本", "Average cost of a draw"],
  risk_hour: [
    "每小时成本（按目前速度 {draws} 抽）",
    "Cost per hour ({draws} draws at the present pace)",
  ],
  risk_ok: ["确认修改", "Make the change"],
  guard_sum: ["大额变动金额", "Costly change"],
  guard_sum_note: [
    "同一人 24 小时内可能多支出的累计金额超过 {value} 时，修改、添加次数与补发须输入动态验证码。",
    "Changes, grants and re-issues by which one person may cost more than {value} in 24 hours need a one-time code.",
  ],
  band_reason: ["填写原因的金额", "Reason from"],
  band_reason_note: [
    "可能支出达到 {value} 的修改、添加次数与补发须填写原因。",
    "Changes, grants and re-issues that may cost {value} or more need a reason.",
  ],
  band_second: ["他人审批的金额", "Second person from"],
  band_second_note: [
    "可能支出达到 {value} 的修改、添加次数与补发由另一名操作员审批后才执行。",
    "Changes, grants and re-issues that may cost {value} or more run once another operator has approved them.",
  ],
  band_off: ["关闭", "Off"],
  band_off_note: [
    "关闭时不要求；填写金额即启用。",
    "When off, nothing is asked; a sum turns it on.",
  ],
  goods_value: ["实物奖品按多少计", "What goods count as"],
  goods_value_note: [
    "没有额度的奖品，计算可能多支出的金额时每件按 {value} 计。",
    "In what a change may cost, each prize without an amount counts as {value}.",
  ],
  guard_programs: ["程序也要动态验证码", "Programs need a code too"],
  guard_programs_note: [
    "关闭时只问后台操作员；开启后，用访问令牌修改奖池的程序也会被要求。",
    "Off: only the console asks. On: programs with an access token are asked too.",
  ],
  band_asked: [
    "近 {days} 天会询问 {count} 次",
    "Would have asked {count} times in the last {days} days",
    "Would have asked {count} time in the last {days} days",
  ],
  setting_default: ["默认 {value}", "Default {value}"],
  setting_change: ["修改前 → 修改后", "Before → after"],
});

declare module "i18next" {
  interface ResourceNamespaceMap {
    stop: typeof STOP_TEXTS.zh;
  }
}
