/** The week of operation (behaviour §13) by the documented calls only: one run against a system that it starts. */
import { part } from "./claims.ts";
import { prove } from "./proof.ts";
import { makePool } from "./setup.ts";
import type { Week } from "./week/books.ts";
import { blockAndClose } from "./week/friday.ts";
import { copyLastWeek } from "./week/monday.ts";
import { closeMonth } from "./week/month-end.ts";
import { grantWeekend } from "./week/saturday.ts";
import { openWeek } from "./week/stage.ts";
import { stopAndDeliver } from "./week/sunday.ts";
import { outliveOutage } from "./week/thursday.ts";
import { refillAndMend } from "./week/tuesday.ts";
import { reverseDeposits } from "./week/wednesday.ts";

const MONEY = [
  { award_name: "0.88元红包", award_price: "0.88", weight: 700, award_total: 10_000, floors: 1 },
  { award_name: "8.88元红包", award_price: "8.88", weight: 250, award_total: 10_000, floors: 0 },
  { award_name: "88.08元红包", award_price: "88.08", weight: 50, award_total: 10_000, floors: 0 },
] as const;

const WITH_GOODS = [
  ...MONEY,
  { award_name: "保温杯", award_price: "0.00", weight: 100, award_total: 10_000, floors: 0 },
] as const;

async function makePools({ operator }: Week): Promise<void> {
  await makePool(operator, "周中池", MONEY);
  await makePool(operator, "周末池", WITH_GOODS);
}

/** Each depends on the earlier ones. */
const DAYS: Readonly<Record<string, (week: Week) => Promise<void>>> = {
  "the weekend before": makePools,
  Monday: copyLastWeek,
  Tuesday: refillAndMend,
  Wednesday: reverseDeposits,
  Thursday: outliveOutage,
  Friday: blockAndClose,
  Saturday: grantWeekend,
  Sunday: stopAndDeliver,
  "the end of the month": closeMonth,
};

await prove("week", async () => {
  const { week, close } = await openWeek();
  for (const [name, live] of Object.entries(DAYS)) {
    await part(name, () => live(week));
  }
  await close();
});
