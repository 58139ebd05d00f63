/**
 * The content of the demonstration (behaviour §7). The players deposit and bet about 200 a second together, so one draw
 * for every full 120 means more than one draw a second. The stock falls visibly, and the small prizes last for a week.
 */
import type { PresetKey } from "@red/contract/platform/codes";

/** A prize with the price 0.00 is a physical item. */
function prize(
  award_name: string,
  award_price: string,
  weight: number,
  award_total: number,
  floors: 0 | 1 = 0,
) {
  return { award_name, award_price, weight, award_total, floors };
}

export const DEMO_POOLS = [
  {
    pool_name: "周末池",
    prizes: [
      prize("0.88元红包", "0.88", 60_000, 600_000, 1),
      prize("1.88元红包", "1.88", 25_000, 250_000),
      prize("8.88元红包", "8.88", 10_000, 80_000),
      prize("18.88元红包", "18.88", 4_000, 30_000),
      prize("88.88元红包", "88.88", 900, 5_000),
      prize("888.88元红包", "888.88", 100, 500),
    ],
  },
  {
    pool_name: "端午池",
    prizes: [
      prize("粽意红包1.66元", "1.66", 55_000, 300_000, 1),
      prize("龙舟红包6.66元", "6.66", 30_000, 150_000),
      prize("艾草红包16.66元", "16.66", 12_000, 60_000),
      prize("香囊红包66.66元", "66.66", 2_800, 12_000),
      prize("端午大红包666.66元", "666.66", 200, 800),
    ],
  },
  {
    pool_name: "实物池",
    prizes: [
      prize("5.20元红包", "5.20", 7_000, 3_000, 1),
      prize("定制保温杯", "0.00", 2_000, 400),
      prize("蓝牙耳机", "0.00", 900, 150),
      prize("智能手表", "0.00", 90, 20),
      prize("折叠屏手机", "0.00", 10, 3),
    ],
  },
];

/** `times` defaults to the value of the preset. */
function round(
  rounds_name: string,
  tag: "weekend" | "dragon",
  pool_name: string,
  preset: PresetKey,
  turnover: number,
  more: { readonly times?: number; readonly isPaused?: boolean } = {},
) {
  return { rounds_name, tag, pool_name, preset, turnover, ...more };
}

export type DemoRound = ReturnType<typeof round>;

/** Open to everybody all day. The round of tomorrow is created one day ahead. */
export const MAIN_ROUND = round("周末红包雨", "weekend", "周末池", "cumulative_deposit_full", 3);

/** Rounds that last for the whole business day. */
export const DAILY_ROUNDS: readonly DemoRound[] = [
  MAIN_ROUND,
  round("端午单笔充值专场", "dragon", "端午池", "single_deposit_reach", 1),
  round("端午投注红包", "dragon", "端午池", "cumulative_bet_full", 2),
  round("天天抽实物", "weekend", "实物池", "no_limit", 1, { times: 3 }),
  round("高额投注加场", "weekend", "周末池", "single_bet_reach", 5, { isPaused: true }),
];

export const ENDED_ROUND = round(
  "累计充值回馈",
  "weekend",
  "周末池",
  "cumulative_deposit_reach",
  3,
);
