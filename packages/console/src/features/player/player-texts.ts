/** Texts of the user data query (spec §2, §5). */
const zh = {
  draws_text: "查询玩家在某个活动的总次数、已抽次数和剩余次数。",
  info_title: "玩家信息查询",
  info_text: "查询玩家的有效存款金额，以及第一、二、三场红包雨的记录。",
  info_open: "玩家信息",
  answer: "{name} 在 {day}（最近一个有活动的日期）的信息",
  vaildAmount: "有效存款金额",
  totalPrice1: "第一场红包雨",
  totalPrice2: "第二场红包雨",
  totalPrice3: "第三场红包雨",
  info_note: "按最近一个有活动的日期统计。",
} as const;

const en: Readonly<Record<keyof typeof zh, string>> = {
  draws_text: "How many draws a player has in an activity: in total, used and left.",
  info_title: "Player info",
  info_text: "A player's valid deposits, and what the first three red packet rains brought.",
  info_open: "Player info",
  answer: "{name} on {day}, the latest day with an activity",
  vaildAmount: "Valid deposits",
  totalPrice1: "First rain",
  totalPrice2: "Second rain",
  totalPrice3: "Third rain",
  info_note: "Of the latest day with an activity.",
};

export const PLAYER_TEXTS = { zh, en };

declare module "i18next" {
  interface ResourceNamespaceMap {
    player: typeof zh;
  }
}
