/** The source of draw tickets, as far as statistics of the whole path can test it. */
import { drawQueue } from "./draw-queue.ts";
import { drawOnce } from "#test/draw-factory";
import { makePlayer, makePrize, makeRound } from "#test/factories";
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
  const { rounds_id, pool_id } = await makeRound(t.db, { condition_times: DRAWS_EACH });
  await t.db.updateTable("prize").set({ weight: 1_000_000_000 }).execute();
  for (const award_name of ["b", "c"]) {
    await makePrize(t.db, { pool_id, award_name, weight: 1_000_000_000 });
  }
  const players = await Promise.all(Array.from({ length: PLAYERS }, () => makePlayer(t.db)));
  const queue = drawQueue(t.db);
  const asked = players.flatMap((player) => Array.from({ length: DRAWS_EACH }, () => player));
  await Promise.all(asked.map(({ player_id }) => drawOnce(queue, rounds_id, player_id)));
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
