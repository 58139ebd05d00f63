/** Texts of the questions about a player (spec §2, §5, Dialog A). Error messages are in the contract. */
import { catalogue } from "@red/contract/platform/catalogue";

export const PLAYER_TEXTS = catalogue({
  draws_title: ["用户活动查询", "Draws of a player"],
  draws_text: [
    "查询玩家在某个活动的总次数、已抽次数和剩余次数。",
    "How many draws a player has in an activity: in total, used and left.",
  ],
  rounds_name: ["活动名称", "Activity"],
  choose_date_first: ["请先选择活动日期", "Choose the activity date first"],
  none_that_day: ["该日没有活动", "No activity on that day"],
  draws_answer: ["{name} 在「{activity}」的抽奖次数", "Draws of {name} in “{activity}”"],
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
  info_title: ["玩家信息查询", "Player info"],
  info_text: [
    "查询玩家的有效存款金额，以及第一、二、三场红包雨的记录。",
    "A player's valid deposits, and what the first three red packet rains brought.",
  ],
  info_open: ["玩家信息", "Player info"],
  info_answer: [
    "{name} 在 {day}（最近一个有活动的日期）的信息",
    "{name} on {day}, the latest day with an activity",
  ],
  vaildAmount: ["有效存款金额", "Valid deposits"],
  totalPrice1: ["第一场红包雨", "First rain"],
  totalPrice2: ["第二场红包雨", "Second rain"],
  totalPrice3: ["第三场红包雨", "Third rain"],
  info_note: ["按最近一个有活动的日期统计。", "Of the latest day with an activity."],
});

declare module "i18next" {
  interface ResourceNamespaceMap {
    player: typeof PLAYER_TEXTS.zh;
  }
}
