import { beforeEach, describe, expect, test } from "vitest";
import { sql } from "kysely";
import { drawQueue } from "./draw-queue.ts";
import { countRows } from "#platform/db/snapshot";
import { drawOnce } from "#test/draw-factory";
import { makePlayer, makePrize, makeRound } from "#test/factories";
import { changeRows } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";

const t = useTestDb();
const a = useTestApp(t);
let asked = 0;

function request(rounds_id: number, player_id: string) {
  asked += 1;
  return { request_id: `r-${asked}`, rounds_id, player_id };
}

const records = () => countRows(t.db, "draw_record");

/** Makes every commit of a draw fail with this SQLSTATE while the trigger exists. */
async function failDraws(state: string): Promise<void> {
  await sql
    .raw(
      `create or replace function fail_draw() returns trigger language plpgsql as
       $$ begin raise exception 'made to fail' using errcode = '${state}'; end $$`,
    )
    .execute(t.db);
  await t.sql`create or replace trigger fail_draw before insert on draw_request
    for each row execute function fail_draw()`;
}

describe("a draw whose batch is overtaken again and again", () => {
  beforeEach(async () => {
    await t.sql`drop trigger if exists fail_draw on draw_request`;
  });

  test.each(["RP001", "40001", "40P01"])("by %s asks for a later retry", async (state) => {
    const { rounds_id } = await makeRound(t.db);
    const { player_id } = await makePlayer(t.db);
    const before = await records();
    await failDraws(state);
    const draw = request(rounds_id, player_id);
    const single = await a.open("POST", "/open/v1/draws", draw);
    expect(single.statusCode).toBe(429);
    expect(single.headers["retry-after"]).toBe("1");
    expect(single.json()).toMatchObject({ status: 429, code: "overloaded" });
    const batch = await a.open("POST", "/open/v1/draws/batch", { draws: [draw] });
    expect(batch.json()).toMatchObject({ results: [{ status: 429, code: "overloaded" }] });
    expect(await records()).toBe(before);
    await t.sql`drop trigger fail_draw on draw_request`;
    const again = await a.open("POST", "/open/v1/draws", draw);
    expect(again.statusCode).toBe(201);
    expect(await records()).toBe(before + 1);
  });

  test("by an error that is no conflict is our fault", async () => {
    const { rounds_id } = await makeRound(t.db);
    const { player_id } = await makePlayer(t.db);
    await failDraws("23505");
    const answer = await a.open("POST", "/open/v1/draws", request(rounds_id, player_id));
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({ code: "internal" });
  });
});

test("each draw of a batch has its own answer, whatever is wrong with the others", async () => {
  await t.sql`drop trigger if exists fail_draw on draw_request`;
  const { rounds_id } = await makeRound(t.db);
  const players = [await makePlayer(t.db), await makePlayer(t.db)];
  const [first, last] = players.map(({ player_id }) => request(rounds_id, player_id));
  const nowhere = request(2_000_000_000, players[0]?.player_id ?? "");
  const draws = [first, { ...first, rounds_id: "none" }, null, nowhere, last];
  const batch = await a.open("POST", "/open/v1/draws/batch", { draws });
  expect(batch.statusCode).toBe(200);
  expect(batch.json()).toMatchObject({
    results: [
      { status: 201, rounds_id },
      { status: 400, code: "bad_input" },
      { status: 400, code: "bad_input" },
      { status: 404, code: "round_not_found" },
      { status: 201, rounds_id },
    ],
  });
});

const DRAWS_EACH = 5;
const PLAYERS = 200;
/** A fair generator exceeds this value once in a million runs. */
const CHI_SQUARE_MAX = 27.6;

/**
 * The total weight is 3,000,000,000. With 32 random bits modulo this total, the first prize would
 * get 466 of a thousand draws and the last prize 233: more than six times the limit.
 */
test("tickets are uniform where a 32-bit modulo would not be", async () => {
  const { rounds_id, pool_id } = await makeRound(t.db, { condition_times: DRAWS_EACH });
  await changeRows(t.db, "prize", { pool_id }, { weight: 1_000_000_000 });
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
    .where("rounds_id", "=", rounds_id)
    .groupBy("award_name")
    .execute();
  const expected = (PLAYERS * DRAWS_EACH) / 3;
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(PLAYERS * DRAWS_EACH);
  const chiSquare = counts.reduce((sum, { count }) => sum + (count - expected) ** 2 / expected, 0);
  expect(chiSquare, JSON.stringify(counts)).toBeLessThan(CHI_SQUARE_MAX);
});
