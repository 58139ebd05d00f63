/** Texts of the user data query (spec §2, §5). */
import { catalogue } from "@red/contract/platform/catalogue";

export const PLAYER_TEXTS = catalogue({
  draws_text: [
    "查询玩家在某个活动的总次数、已抽次数和剩余次数。",
    "How many draws a player has in an activity: in total, used and left.",
  ],
  info_title: ["玩家信息查询", "Player info"],
  info_text: [
    "查询玩家的有效存款金额，以及第一、二、三场红包雨的记录。",
    "A player's valid deposits, and what the first three red packet rains brought.",
  ],
  info_open: ["玩家信息", "Player info"],
  answer: [
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
