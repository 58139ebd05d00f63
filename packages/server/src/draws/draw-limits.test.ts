/**
 * Limits of the draws of a player, in a round and per day over all rounds (behaviour §4). Two processes draw and are
 * killed repeatedly: twenty times in `npm run prove -- limits`, once in the suite. `PROVE_N` sets the number.
 */
import { ZONE } from "#test/activity-factory";
import { drawOnce, startDrawProcess } from "#test/draw-factory";
import { makePlayer, makeRound } from "#test/factories";
import { depositOf, feed } from "#test/ingest-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { drawInfo, playerRoutes } from "@red/contract/chances/player";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { expect, test } from "vitest";
import { drawQueue } from "./draw-queue.ts";
import { selectDrawnToday } from "#chances/chance-sql";

const t = useTestDb();
const app = useTestApp(t);
const KILLS = Number(process.env["PROVE_N"] ?? 1);

/** The rule grants a draw per 1.00 of deposits. */
const PER_FULL = {
  condition_name: "2",
  condition_formula: "1",
  condition_type: "2",
  condition_value_cents: 100,
} as const;

async function makeRounds(
  ...limits: readonly { readonly draws_max?: number; readonly day_draws_max?: number }[]
): Promise<[number, number]> {
  const made = [];
  for (const limit of limits) {
    made.push((await makeRound(t.db, { ...PER_FULL, ...limit })).rounds_id);
  }
  await t.sql`update prize set award_total = 1000000`;
  const [one = 0, other = 0] = made;
  return [one, other];
}

/** Creates a player who has earned this many draws in each round. */
async function makeDrawer(draws: number) {
  const player = await makePlayer(t.db);
  const created_at = new Date().toISOString();
  const { player_id, user_name } = player;
  await feed(t.db, "deposits", [
    depositOf(player_id, { user_name, amount: `${draws}.00`, created_at }),
  ]);
  return player;
}

const edit = (rounds_id: number, set: RawBuilder<unknown>) =>
  t.sql`update activity set ${set}, version = version + 1 where id = ${rounds_id}`;

async function drawAll(rounds_id: number, player_id: string, queue = drawQueue(t.db)) {
  for (let drawn = 0; ; drawn += 1) {
    const result = await drawOnce(queue, rounds_id, player_id);
    if ("refused" in result) {
      return [drawn, result.refused];
    }
  }
}

test("a round's limit ends its draws, and a lowered one takes none back", async () => {
  const [round] = await makeRounds({ draws_max: 5 });
  const { player_id, user_name } = await makeDrawer(9);
  const chances = async () => {
    const answer = await app.call(playerRoutes.drawInfo, { body: { rounds_id: round, user_name } });
    const data = drawInfo.parse(answer.data);
    const path = `/open/v1/rounds/${round}/chances?player_id=${player_id}`;
    expect((await app.open("GET", path)).json()).toEqual({ ...data, next: null });
    return Object.values(data);
  };
  expect(await chances()).toEqual([5, 0, 5, "draws_max"]);
  expect(await drawAll(round, player_id)).toEqual([5, "limit_reached"]);
  expect(await chances()).toEqual([5, 5, 0, "draws_max"]);
  await edit(round, sql`draws_max = 3`);
  expect(await chances()).toEqual([3, 5, 0, "draws_max"]);
  await edit(round, sql`draws_max = null`);
  expect(await drawAll(round, player_id)).toEqual([4, "no_chance_left"]);
});

test("a day's limit counts the draws of all rounds, whatever a process remembers", async () => {
  const [one, other] = await makeRounds({ day_draws_max: 4 }, {});
  const { player_id, player_key } = await makeDrawer(20);
  const queue = drawQueue(t.db);
  expect(await drawOnce(queue, one, player_id)).toHaveProperty("drawn");
  await drawOnce(drawQueue(t.db), other, player_id);
  await drawOnce(drawQueue(t.db), other, player_id);
  expect(await drawAll(one, player_id, queue)).toEqual([1, "limit_reached"]);
  // The limit of one round does not apply to a round without a limit.
  expect(await drawOnce(queue, other, player_id)).toHaveProperty("drawn");
  const today = () =>
    selectDrawnToday(t.db, { draws_max: null, day_draws_max: 4 }, player_key, ZONE);
  expect(await today()).toBe(5);
  // An edit moves the round out of the day, and a deletion hides the round. Its records remain and still count.
  const days = sql`interval '9 days'`;
  await edit(other, sql`start_time = start_time - ${days}, end_time = end_time - ${days}`);
  await t.sql`insert into activity_rule (rounds_id, version, rule) values (${other}, 2, '{}')`;
  await t.sql`update activity set deleted_at = now() where id = ${other}`;
  expect(await today()).toBe(5);
  await t.sql`update draw_record set created_at = created_at - interval '1 day' where rounds_id = ${other}`;
  expect(await drawAll(one, player_id, queue)).toEqual([2, "limit_reached"]);
});

test("of 40 players nobody draws above a limit, through two processes that are killed", async () => {
  for (let kills = 0; kills < KILLS; kills += 1) {
    const limits = { draws_max: 5, day_draws_max: 8 };
    const rounds_ids = await makeRounds(limits, limits);
    const players = await Promise.all(Array.from({ length: 40 }, () => makeDrawer(50)));
    const player_ids = players.map(({ player_id }) => player_id);
    const drawable = { pool_id: 0, rounds_ids, player_ids };
    const start = () => startDrawProcess(t, drawable, 1_000);
    const [one, other] = await Promise.all([start(), start()]);
    await (kills % 2 === 0 ? one : other).kill();
    // A new queue first reads the rounds while the other process draws.
    const queue = drawQueue(t.db);
    const left = await Promise.all(
      rounds_ids.flatMap((id) => player_ids.map((player_id) => drawAll(id, player_id, queue))),
    );
    await Promise.all([one, other].map((process) => process.kill()));
    expect(new Set(left.map(([, refused]) => refused))).toEqual(new Set(["limit_reached"]));
    const rows = await t.sql<{ n: number; most: number }>`
      select sum(n)::int as n, max(n)::int as most
      from (
        select player_key, count(*) as n from draw_record
        where rounds_id = any(${rounds_ids}::int[]) group by player_key, rounds_id
      ) s group by player_key`;
    expect(rows.map(({ n }) => n)).toEqual(players.map(() => 8));
    expect(Math.max(...rows.map(({ most }) => most))).toBeLessThanOrEqual(5);
  }
}, 600_000);
