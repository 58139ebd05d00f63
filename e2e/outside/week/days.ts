/** The days of the week; each depends on the earlier ones. */
import type { Week } from "./books.ts";
import { blockAndClose } from "./friday.ts";
import { copyLastWeek } from "./monday.ts";
import { closeMonth } from "./month-end.ts";
import { grantWeekend } from "./saturday.ts";
import { stopAndDeliver } from "./sunday.ts";
import { outliveOutage } from "./thursday.ts";
import { refillAndMend } from "./tuesday.ts";
import { reverseDeposits } from "./wednesday.ts";

const MONEY = [
  { award_name: "0.88元红包", award_price: "0.88", weight: 700, award_total: 10_000, floors: 1 },
  { award_name: "8.88元红包", award_price: "8.88", weight: 250, award_total: 10_000, floors: 0 },
  { award_name: "88.08元红包", award_price: "88.08", weight: 50, award_total: 10_000, floors: 0 },
] as const;

const WITH_GOODS = [
  ...MONEY,
  { award_name: "保温杯", award_price: "0.00", weight: 100, award_total: 10_000, floors: 0 },
] as const;

async function makePools({ hands }: Week): Promise<void> {
  await hands.makePool("周中池", MONEY);
  await hands.makePool("周末池", WITH_GOODS);
}

export interface Day {
  readonly name: string;
  readonly live: (week: Week) => Promise<void>;
}

export const DAYS: readonly Day[] = [
  { name: "the weekend before", live: makePools },
  { name: "Monday", live: copyLastWeek },
  { name: "Tuesday", live: refillAndMend },
  { name: "Wednesday", live: reverseDeposits },
  { name: "Thursday", live: outliveOutage },
  { name: "Friday", live: blockAndClose },
  { name: "Saturday", live: grantWeekend },
  { name: "Sunday", live: stopAndDeliver },
  { name: "the end of the month", live: closeMonth },
];
