/** Texts of the user activity query (spec §2, Dialog A); its messages are the contract's. */
import { catalogue } from "@red/contract/platform/catalogue";

export const DRAW_INFO_TEXTS = catalogue({
  open: ["用户活动查询", "Draws of a player"],
  rounds_name: ["活动名称", "Activity"],
  choose_date_first: ["请先选择活动日期", "Choose the activity date first"],
  none_that_day: ["该日没有活动", "No activity on that day"],
  answer: ["{name} 在「{activity}」的抽奖次数", "Draws of {name} in “{activity}”"],
  total: ["总次数", "Total"],
  already: ["已抽", "Drawn"],
  remain: ["剩余", "Left"],
  limited_draws_max: [
    "还有获得的次数，因「本活动每人上限」不能抽。",
    "More draws were granted than the limit per player allows.",
  ],
  limited_day_draws_max: [
    "还有获得的次数，因「每人每日上限」当天不能抽。",
    "More draws were granted than the limit per player and day allows that day.",
  ],
  explain: ["逐笔查看为什么算、为什么不算", "See what counts and why, row by row"],
});

declare module "i18next" {
  interface ResourceNamespaceMap {
    draw_info: typeof DRAW_INFO_TEXTS.zh;
  }
}
