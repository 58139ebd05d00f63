/**
 * Creates and continues the demonstration (behaviour §7) with the functions of the console's calls.
 * Players, deposits, bets and draws come from the demo platform.
 */
import { activityCreate } from "@red/contract/rounds/activity";
import { dayBounds, formatDate } from "@red/contract/platform/datetime";
import { PRESETS } from "@red/contract/platform/codes";
import { prizeCreate } from "@red/contract/pools/prize";
import { createActivity, pauseActivity } from "#rounds/change-activity";
import { createPool } from "#pools/change-pool";
import { createPrize } from "#pools/change-prize";
import { DAILY_ROUNDS, DEMO_POOLS, ENDED_ROUND, MAIN_ROUND } from "./demo-plan.ts";
import type { DemoRound } from "./demo-plan.ts";
import { seedHistory } from "./seed-history.ts";
import type { Settings } from "#platform/handlers";
import type { Actor } from "#platform/audit";
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import { lockDemo, selectIsEmpty, selectWasMade } from "./demo-sql.ts";
import { insertFact, selectFact } from "#platform/db/installation-sql";
import { selectPoolId } from "#pools/pool-sql";
import * as z from "zod/mini";

const DEMO: Actor = { kind: "system", name: "demo", request_id: null, address: null };

export type DemoSettings = Pick<Settings, "timeZone" | "redCodeDefault">;

export async function isDemo(db: Db): Promise<boolean> {
  return (await selectFact(db, "demo")) !== null;
}

/** Creates the missing pools, with full stock. */
async function ensurePools(tx: Tx): Promise<void> {
  for (const { pool_name, prizes } of DEMO_POOLS) {
    if ((await selectPoolId(tx, pool_name)) === null) {
      await createPool(tx, DEMO, pool_name);
      for (const prize of prizes) {
        await createPrize(tx, DEMO, z.parse(prizeCreate, { ...prize, pool_name }));
      }
    }
  }
}

/** Creates the round if it is missing. Round and condition window last for the whole business day. */
async function ensureRound(
  tx: Tx,
  round: DemoRound,
  day: string,
  settings: DemoSettings,
): Promise<void> {
  if (await selectWasMade(tx, day, round.rounds_name)) {
    return;
  }
  const { preset: wanted, times, isPaused = false, ...about } = round;
  const preset = PRESETS.find(({ key }) => key === wanted);
  const form = z.parse(activityCreate, {
    ...about,
    red_code: settings.redCodeDefault,
    condition_name: preset?.condition_name,
    condition_formula: preset?.condition_formula,
    condition_type: preset?.condition_type,
    condition_value: preset?.value,
    condition_times: times ?? preset?.times,
    achieve_start_time: `${day} 00:00:00`,
    achieve_end_time: `${day} 23:59:59`,
    start_time: `${day} 00:00:00`,
    end_time: `${day} 23:59:59`,
  });
  const { data } = await createActivity(tx, DEMO, form, settings.timeZone);
  if (isPaused) {
    await pauseActivity(tx, DEMO, data.id, 0);
  }
}

async function ensureDay(tx: Tx, settings: DemoSettings, now: Date): Promise<void> {
  const { timeZone } = settings;
  const today = formatDate(now, timeZone);
  const tomorrow = formatDate(dayBounds(today, timeZone).end, timeZone);
  await ensurePools(tx);
  for (const round of DAILY_ROUNDS) {
    await ensureRound(tx, round, today, settings);
  }
  await ensureRound(tx, MAIN_ROUND, tomorrow, settings);
}

/**
 * Creates the missing rounds for the business day of `now` and for the next day. A round that an operator
 * deleted is not created again. Does nothing on a database without the demonstration mark.
 */
export async function ensureDemoRounds(db: Db, settings: DemoSettings, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockDemo(tx);
    if (await isDemo(tx)) {
      await ensureDay(tx, settings, now);
    }
  });
}

function daysBefore(now: Date, count: number, timeZone: string): string[] {
  const days: string[] = [];
  let { start } = dayBounds(formatDate(now, timeZone), timeZone);
  while (days.length < count) {
    const day = formatDate(new Date(start.getTime() - 1), timeZone);
    days.unshift(day);
    ({ start } = dayBounds(day, timeZone));
  }
  return days;
}

/**
 * Creates pools, prizes, rounds and the mark in one transaction, but no operator. If `days` is above 1,
 * also creates earlier days with players, money and draws. On a marked database, creates what is missing
 * for the day; throws and changes nothing on an unmarked database that is in use.
 */
export async function seedDemo(db: Db, settings: DemoSettings, now: Date, days = 1): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockDemo(tx);
    if (!(await isDemo(tx))) {
      if (!(await selectIsEmpty(tx))) {
        throw new Error(
          "this database has activities, pools, players or records and was not made as a " +
            "demonstration: demonstration data is only put into an empty one",
        );
      }
      await insertFact(tx, "demo", "1");
      const { timeZone } = settings;
      await ensurePools(tx);
      for (const day of daysBefore(now, 1, timeZone)) {
        await ensureRound(tx, ENDED_ROUND, day, settings);
      }
      for (const day of daysBefore(now, days - 1, timeZone)) {
        for (const round of DAILY_ROUNDS) {
          await ensureRound(tx, round, day, settings);
        }
        await seedHistory(tx, DEMO, day, timeZone);
      }
    }
    await ensureDay(tx, settings, now);
  });
}
