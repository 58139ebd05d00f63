/** Texts of the user activity query (spec §2, Dialog A); its messages are the contract's. */
const zh = {
  open: "用户活动查询",
  rounds_name: "活动名称",
  choose_date_first: "请先选择活动日期",
  none_that_day: "该日没有活动",
  answer: "{name} 在「{activity}」的抽奖次数",
  total: "总次数",
  already: "已抽",
  remain: "剩余",
  limited_draws_max: "还有获得的次数，因「本活动每人上限」不能抽。",
  limited_day_draws_max: "还有获得的次数，因「每人每日上限」当天不能抽。",
  explain: "逐笔查看为什么算、为什么不算",
} as const;

const en: Readonly<Record<keyof typeof zh, string>> = {
  open: "Draws of a player",
  rounds_name: "Activity",
  choose_date_first: "Choose the activity date first",
  none_that_day: "No activity on that day",
  answer: "Draws of {name} in “{activity}”",
  total: "Total",
  already: "Drawn",
  remain: "Left",
  limited_draws_max: "More draws were granted than the limit per player allows.",
  limited_day_draws_max:
    "More draws were granted than the limit per player and day allows that day.",
  explain: "See what counts and why, row by row",
};

export const DRAW_INFO_TEXTS = { zh, en };

declare module "i18next" {
  interface ResourceNamespaceMap {
    draw_info: typeof zh;
  }
}
