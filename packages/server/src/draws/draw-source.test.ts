/** The source of draw tickets, as far as statistics of the whole path can test it. */
import { createActivity } from "#rounds/create-activity";
import { createPrize } from "#rounds/create-prize";
import { drawQueue } from "./draw-queue.ts";
import { inTransaction } from "#platform/connection";
import { activityForm, OPERATOR, prizeForm, ZONE } from "#test/activity-factory";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";

const t = useTestDb();

const DRAWS_EACH = 5;
const PLAYERS = 200;
/** A fair source exceeds it once in a million runs. */
const CHI_SQUARE_MAX = 27.6;

/**
 * With total weights of 3,000,000,000, 32 random bits modulo that sum would give the first prize 466 of a
 * thousand draws and the last 233: six times the bound and more.
 */
test("tickets are uniform where a 32-bit modulo would not be", async () => {
  for (const award_name of ["a", "b", "c"]) {
    const form = prizeForm({
      pool_name: "wide",
      award_name,
      award_price: "1.00",
      weight: 1_000_000_000,
      award_total: 10_000,
      floors: 0,
    });
    await inTransaction(t.db, (tx) => createPrize(tx, OPERATOR, form));
  }
  const form = activityForm({
    pool_name: "wide",
    condition_name: "0",
    condition_formula: "0",
    condition_type: "0",
    condition_value: "0",
    condition_times: DRAWS_EACH,
    start_time: "2026-01-01 00:00:00",
    end_time: "2036-01-01 00:00:00",
  });
  const rounds_id = await inTransaction(t.db, (tx) => createActivity(tx, OPERATOR, form, ZONE));
  const players = Array.from({ length: PLAYERS }, (_, at) => ({
    player_id: `p${at}`,
    user_name: `user-${at}`,
  }));
  await t.db.insertInto("player").values(players).execute();
  const queue = drawQueue(t.db);
  await Promise.all(
    players.flatMap(({ player_id }) =>
      Array.from({ length: DRAWS_EACH }, (_, at) =>
        queue.draw("rk_test", { request_id: `${player_id}-${at}`, rounds_id, player_id }),
      ),
    ),
  );
  const counts = await t.db
    .selectFrom("draw_record")
    .select((eb) => ["award_name", eb.fn.countAll<number>().as("count")])
    .groupBy("award_name")
    .execute();
  const expected = (PLAYERS * DRAWS_EACH) / 3;
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(PLAYERS * DRAWS_EACH);
  const chiSquare = counts.reduce((sum, { count }) => sum + (count - expected) ** 2 / expected, 0);
  expect(chiSquare, JSON.stringify(counts)).toBeLessThan(CHI_SQUARE_MAX);
});
