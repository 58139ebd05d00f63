/** Texts of the sentence that explains why a player can or cannot draw, for console and platform (behaviour §4). */
const zh = {
  sentence_end: "。",
  sentence_join: "；",
  gate_blocked: "玩家已被禁止抽奖",
  gate_blocked_since: "玩家自 {since} 起被禁止抽奖",
  gate_excluded: "玩家在排除名单中（{kind}，到 {until}）",
  gate_excluded_endless: "玩家在排除名单中（{kind}，永久）",
  gate_draws_stopped: "全部抽奖已暂停",
  gate_pool_stopped: "这个奖池的抽奖已暂停",
  gate_paused: "活动已暂停",
  gate_not_started: "活动还没开始（{start} 开始）",
  gate_ended: "活动已于 {end} 结束",
  gate_sold_out: "奖品已抽完",
  can_draw: "可以抽奖：还剩 {remain} 次（共 {total} 次，已抽 {already} 次）",
  left: "还有 {remain} 次没抽（共 {total} 次，已抽 {already} 次）",
  held_draws_max: "本活动每人最多 {max} 次，多得的不能抽",
  held_day_draws_max:
    "当天在各活动合计已抽 {today} 次，抽满 {max} 次后不能再抽本活动，多得的当天不能抽",
  all_used: "{total} 次都已抽完",
  draws_max: "已抽 {already} 次，达到本活动每人上限 {max} 次",
  day_draws_max: "当天在各活动合计已抽满 {max} 次，当天不能再抽本活动",
  taken_back: "已抽 {already} 次，多于现在应有的 {total} 次（有存款冲正、投注作废，或规则改过）",
  no_extra: "白名单活动，玩家没有可用的额外次数",
  sum_below: "条件时间内{kind}合计 {amount}，不到 {value}",
  largest_below: "条件时间内最大的一笔{kind} {amount}，不到 {value}（按单笔计算）",
  all_cancelled: "条件时间内的 {count} 笔{kind}（合计 {amount}）都已{gone}，不计入",
  outside_before: "条件时间内没有{kind}；最近一笔 {amount} 在 {at}，早于条件时间，不计入",
  outside_after: "条件时间内没有{kind}；最近一笔 {amount} 在 {at}，晚于条件时间，不计入",
  other_platform: "条件时间内的 {count} 笔投注（合计 {amount}）都在其他平台，不计入",
  other_kind:
    "条件时间内没有{kind}；有 {count} 笔{other}（合计 {amount}），这个活动不按{other}计算",
  no_rows: "玩家没有{kind}",
  next_sum: "{kind}再有 {missing} 可得 {times} 次",
  next_row: "再有一笔 {missing} 的{kind}可得 {times} 次",
  kind_deposit: "存款",
  kind_bet: "投注",
  gone_deposit: "冲正",
  gone_bet: "作废",
} as const;

/** The suffix `_one` marks the form for `count` 1. Chinese has no such form. */
const en: Readonly<Record<keyof typeof zh | "all_used_one", string>> = {
  sentence_end: ".",
  sentence_join: "; ",
  gate_blocked: "The player is blocked from drawing",
  gate_blocked_since: "The player is blocked from drawing since {since}",
  gate_excluded: "The player is excluded ({kind}, until {until})",
  gate_excluded_endless: "The player is excluded ({kind}, without end)",
  gate_draws_stopped: "all draws are stopped",
  gate_pool_stopped: "draws from this pool are stopped",
  gate_paused: "the activity is paused",
  gate_not_started: "the activity has not started ({start})",
  gate_ended: "the activity ended at {end}",
  gate_sold_out: "the prizes have run out",
  can_draw: "Can draw: {remain} left ({total} in total, {already} drawn)",
  left: "{remain} left undrawn ({total} in total, {already} drawn)",
  held_draws_max:
    "a player may draw {max} times in this activity, so more that were earned cannot be drawn",
  held_day_draws_max:
    "{today} drawn on the day in all activities together, and none here from {max} on, so more that were earned cannot be drawn that day",
  all_used: "all {total} draws are used",
  draws_max: "{already} drawn, and a player may draw {max} times in this activity",
  day_draws_max:
    "at least {max} drawn on the day in all activities together, so no more in this activity that day",
  all_used_one: "the only draw is used",
  taken_back:
    "{already} drawn, more than the {total} in total now (a deposit was reversed, a bet voided, or the rule changed)",
  no_extra: "a whitelist activity, and no extra draw to use",
  sum_below: "{kind} in the condition window come to {amount}, below {value}",
  largest_below:
    "the largest of the {kind} in the condition window is {amount}, below {value} for one",
  all_cancelled:
    "all {kind} in the condition window ({count}, {amount}) were {gone} and do not count",
  outside_before:
    "no {kind} in the condition window; the latest, {amount} at {at}, came before it and does not count",
  outside_after:
    "no {kind} in the condition window; the nearest, {amount} at {at}, came after it and does not count",
  other_platform:
    "all bets in the condition window ({count}, {amount}) are on other platforms and do not count",
  other_kind:
    "no {kind} in the condition window, only {other} ({count}, {amount}), and the activity does not count {other}",
  no_rows: "the player has no {kind}",
  next_sum: "{missing} more in {kind} give {times}",
  next_row: "one of {missing} in {kind} gives {times}",
  kind_deposit: "deposits",
  kind_bet: "bets",
  gone_deposit: "reversed",
  gone_bet: "voided",
};

export const STANDING_TEXTS = { zh, en };
