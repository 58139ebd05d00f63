/** Draws that wait for their stock while their players change. */
import { CONDITION_FORMULAS, CONDITION_NAMES, CONDITION_TYPES } from "@red/contract/platform/codes";
import { chooseChance } from "@red/engine/chances";
import type { UsableExtra } from "@red/engine/chances";
import fc from "fast-check";
import { drawPrizes } from "./draw-prizes.ts";
import { drawQueue } from "./draw-queue.ts";
import type { DrawQueue } from "./draw-queue.ts";
import { chanceMemory } from "#chances/chance-reader";
import { grantExtraTimes } from "#players/grant-extra-times";
import { inTransaction } from "#platform/db/connection";
import type { Tx } from "#platform/db/connection";
import { lockDraw } from "./draw-sql.ts";
import { lockActivity } from "#rounds/activity-sql";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { OPERATOR, ZONE } from "#test/activity-factory";
import { makePlayer, makeRound } from "#test/factories";
import type { MadePlayer, MadeRound } from "#test/factories";
import { drawOnce, recordsOf as countRecordsOf } from "#test/draw-factory";
import { depositOf, feed, takeBack } from "#test/ingest-factory";
import { hold, untilWaiting } from "#test/races";
import { rowsOf } from "#test/rows";
import { useTestDb } from "#test/test-db";

const t = useTestDb();

const draw = (queue: DrawQueue, { rounds_id }: MadeRound, { player_id }: MadePlayer) =>
  drawOnce(queue, rounds_id, player_id);
const recordsOf = ({ player_key }: MadePlayer) => countRecordsOf(t, player_key);

function block(player: MadePlayer, blocked = true) {
  const { player_id, user_name } = player;
  return feed(t.db, "players", [{ player_id, user_name, blocked }]);
}

function grant(user_names: string[], expire_time: string) {
  const terms = { tag: "weekend", expire_time };
  return inTransaction(t.db, (tx) =>
    grantExtraTimes(tx, OPERATOR, { user_names }, terms, { timeZone: ZONE, language: "en" }),
  );
}

function lockPrize({ prize_id }: MadeRound) {
  return (tx: Tx) => sql`select from prize where id = ${prize_id} for update`.execute(tx);
}

describe("a block", () => {
  test("that meets a draw waiting for its stock is answered after it, and none commits later", async () => {
    const round = await makeRound(t.db);
    const player = await makePlayer(t.db);
    const stock = await hold(t.db, lockPrize(round));
    const drawing = draw(drawQueue(t.db), round, player);
    await untilWaiting(t.db);
    const blocking = block(player).then(() => recordsOf(player));
    // The block either waits for the draw, or has been answered already and the draw must not commit.
    await Promise.race([blocking, untilWaiting(t.db, 2)]);
    await stock.commit();
    const atAnswer = await blocking;
    const result = await drawing;
    expect(await recordsOf(player)).toBe(atAnswer);
    expect("drawn" in result ? 1 : 0).toBe(atAnswer);
    expect(await draw(drawQueue(t.db), round, player)).toEqual({ refused: "player_blocked" });
  });

  test("that comes first is waited for, and the draw is refused", async () => {
    const round = await makeRound(t.db);
    const player = await makePlayer(t.db);
    const blocking = await hold(t.db, (tx) =>
      sql`update player set blocked = true, draw_version = draw_version + 1
          where player_key = ${player.player_key}`.execute(tx),
    );
    const drawing = draw(drawQueue(t.db), round, player);
    await untilWaiting(t.db);
    await blocking.commit();
    expect(await drawing).toEqual({ refused: "player_blocked" });
    expect(await recordsOf(player)).toBe(0);
  });

  test("among many draws lets none of that player commit after its answer", async () => {
    const round = await makeRound(t.db, { condition_times: 5 });
    const players = await Promise.all(Array.from({ length: 60 }, () => makePlayer(t.db)));
    const queues = [drawQueue(t.db), drawQueue(t.db)] as const;
    const drawing = players.flatMap((player, at) =>
      Array.from({ length: 5 }, () => draw(queues[at % 2 === 0 ? 0 : 1], round, player)),
    );
    await drawing[0];
    const atAnswer = await Promise.all(
      players.map((player) => block(player).then(() => recordsOf(player))),
    );
    await Promise.all(drawing);
    expect(await Promise.all(players.map(recordsOf))).toEqual(atAnswer);
  });
});

test("a batch leaves out the players who have changed, and commits the others", async () => {
  const round = await makeRound(t.db, { condition_times: 2 });
  const players = await Promise.all(Array.from({ length: 4 }, () => makePlayer(t.db)));
  const [blocked, elsewhere] = players;
  const asked = players.flatMap(({ player_id }) =>
    [1, 2].map((no) => ({
      key: "rk_test",
      request_id: `batch-${no}-${player_id}`,
      rounds_id: round.rounds_id,
      player_id,
    })),
  );
  // The batch has read its inputs and now waits for the round.
  const held = await hold(t.db, (tx) =>
    sql`select hold_round(${round.rounds_id}, true)`.execute(tx),
  );
  const drawing = drawPrizes(t.db, asked, chanceMemory());
  await untilWaiting(t.db);
  if (blocked !== undefined && elsewhere !== undefined) {
    await block(blocked);
    await t.sql`
      insert into draw_record (id, rounds_id, player_key, draw_no, prize_id, award_name, award_price_cents,
        turnover, rule_version, pool_id, pool_version, ticket, exhausted, created_at)
      values (1, ${round.rounds_id}, ${elsewhere.player_key}, 1, ${round.prize_id}, 'a', 1, 1, 1, 1, 1, 0,
        '{}', now())`;
  }
  await held.commit();
  const results = await drawing;
  const isDrawn = results.map((result) => result !== null && "drawn" in result);
  expect(isDrawn).toEqual([false, false, false, false, true, true, true, true]);
  expect(await Promise.all(players.map(recordsOf))).toEqual([0, 1, 2, 2]);
});

test("a batch does not wait for a player whom another transaction holds", async () => {
  const round = await makeRound(t.db);
  const [held, free] = [await makePlayer(t.db), await makePlayer(t.db)];
  const holder = await hold(t.db, (tx) =>
    sql`select from player where player_key = ${held.player_key} for update`.execute(tx),
  );
  const queue = drawQueue(t.db);
  const waiting = draw(queue, round, held);
  expect(await draw(queue, round, free)).toHaveProperty("drawn");
  await untilWaiting(t.db);
  await holder.commit();
  expect(await waiting).toHaveProperty("drawn");
});

test("a remembered player is read again after a draw elsewhere, a grant and a block", async () => {
  const round = await makeRound(t.db, { condition_times: 3 });
  const player = await makePlayer(t.db);
  const [one, other] = [drawQueue(t.db), drawQueue(t.db)];
  const results = [];
  // Each queue has cached the player after its own last draw.
  for (const queue of [one, other, one, other]) {
    results.push(await draw(queue, round, player));
  }
  expect(results.map((result) => "drawn" in result)).toEqual([true, true, true, false]);
  await grant([player.user_name], "2036-01-01 00:00:00");
  expect(await draw(one, round, player)).toHaveProperty("drawn");
  expect(await draw(other, round, player)).toEqual({ refused: "no_chance_left" });
  await block(player);
  expect(await draw(one, round, player)).toEqual({ refused: "player_blocked" });
  const { player_key } = player;
  const numbers = await rowsOf(t.db, "draw_record", { player_key });
  expect(new Set(numbers.map(({ draw_no }) => draw_no))).toEqual(new Set([1, 2, 3, 4]));
});

test("a remembered player draws as one who is read, whatever came meanwhile and whoever drew", async () => {
  const round = await makeRound(t.db, {
    condition_name: CONDITION_NAMES.deposit,
    condition_formula: CONDITION_FORMULAS.cumulative,
    condition_type: CONDITION_TYPES.repeatable,
    condition_value_cents: 10_000,
    achieve_start_time: new Date("2024-05-01"),
  });
  const round_end_ms = Date.now() + 24 * 3_600_000;
  const inHours = (hours: number) =>
    new Date(Date.now() + (8 + hours) * 3_600_000).toISOString().slice(0, 19).replace("T", " ");
  const expiry = { early: inHours(12), late: inHours(48) };
  const step = fc.constantFrom(
    "one",
    "other",
    "one",
    "other",
    "deposit",
    "reverse",
    "early",
    "late",
  );
  const queues = { one: drawQueue(t.db), other: drawQueue(t.db) };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
      const player = await makePlayer(t.db);
      const { player_id, user_name, player_key } = player;
      const deposits: ReturnType<typeof depositOf>[] = [];
      let extras: UsableExtra[] = [];
      const used = { earned: 0, extra: 0 };
      for (const what of steps) {
        if (what === "deposit") {
          deposits.push(depositOf(player_id, { user_name }));
          await feed(t.db, "deposits", deposits.slice(-1));
        } else if (what === "reverse") {
          await takeBack(t.db, deposits.splice(0, 1));
        } else if (what === "early" || what === "late") {
          await grant([user_name], expiry[what]);
          const rows = await t.sql<UsableExtra>`
            select id, (extract(epoch from expire_time) * 1000)::bigint as expire_at_ms from extra_time
            where player_key = ${player_key} and used_log_id is null`;
          extras = rows;
        } else {
          const earned = deposits.length;
          const remain = earned + extras.length - used.earned;
          const state = { earned, earned_used: used.earned, extras, round_end_ms, remain };
          const chance = chooseChance(state);
          const result = await draw(queues[what], round, player);
          const rows = await t.sql<{ draw_no: number; extra_time_id: number | null }>`
            select draw_no, extra_time_id from draw_record where player_key = ${player_key}
            order by draw_no desc limit 1`;
          if (chance === null) {
            expect(result).toEqual({ refused: "no_chance_left" });
          } else {
            const extra_time_id = chance.kind === "earned" ? null : chance.id;
            used[chance.kind] += 1;
            extras = extras.filter(({ id }) => id !== extra_time_id);
            expect(rows).toEqual([{ draw_no: used.earned + used.extra, extra_time_id }]);
          }
        }
      }
    }),
    {
      numRuns: 20,
      examples: [
        [["late", "deposit", "one", "deposit", "one", "one"]],
        [["deposit", "deposit", "deposit", "one", "other", "one", "other", "deposit", "one"]],
        [["deposit", "deposit", "one", "reverse", "one", "early", "deposit", "one", "one"]],
      ],
    },
  );
});

test("a remembered player draws on from what is there when the database has lost draws", async () => {
  const round = await makeRound(t.db, { condition_times: 3 });
  const player = await makePlayer(t.db);
  const queue = drawQueue(t.db);
  await draw(queue, round, player);
  await draw(queue, round, player);
  // Imitates a failover to a standby that was behind.
  await t.sql`delete from draw_request where rounds_id = ${round.rounds_id}`;
  await t.sql`delete from payout where rounds_id = ${round.rounds_id}`;
  const { player_key } = player;
  await t.sql`delete from draw_record where player_key = ${player_key} and draw_no = 2`;
  expect(await draw(queue, round, player)).toHaveProperty("drawn");
  const numbers = await rowsOf(t.db, "draw_record", { player_key });
  expect(new Set(numbers.map(({ draw_no }) => draw_no))).toEqual(new Set([1, 2]));
});

test("a change of the round gets its turn while others hold the round one after the other", async () => {
  const { rounds_id } = await makeRound(t.db);
  let isOver = false;
  const holders = Array.from({ length: 12 }, async () => {
    while (!isOver) {
      await inTransaction(t.db, (tx) =>
        sql`select hold_round(${rounds_id}, false), pg_sleep(0.02)`.execute(tx),
      );
    }
  });
  const begun = performance.now();
  await inTransaction(t.db, (tx) => lockActivity(tx, rounds_id));
  expect(performance.now() - begun).toBeLessThan(2_000);
  isOver = true;
  await Promise.all(holders);
});

test("the last pieces are counted after the draw in flight", async () => {
  const round = await makeRound(t.db);
  await t.sql`update prize set award_total = 3 where id = ${round.prize_id}`;
  const players = [await makePlayer(t.db), await makePlayer(t.db), await makePlayer(t.db)];
  const { rounds_id } = round;
  // The first draw of a prize inserts rows with unique keys. They would block the other draws
  // before those read the stock.
  await draw(drawQueue(t.db), round, await makePlayer(t.db));
  const [asked] = players.map(({ player_id }) => ({
    key: "rk_test",
    request_id: `held-${player_id}`,
    rounds_id,
    player_id,
  }));
  const first = await hold(t.db, (tx) =>
    drawPrizes(tx, asked === undefined ? [] : [asked], chanceMemory()),
  );
  // Separate queues act as processes: they share only the database.
  const others = players.slice(1).map((player) => draw(drawQueue(t.db), round, player));
  await untilWaiting(t.db, 2);
  await first.commit();
  const results = [...first.result, ...(await Promise.all(others))];
  expect(results.filter((result) => result !== null && "drawn" in result)).toHaveLength(2);
  expect(results).toContainEqual({ refused: "sold_out" });
  const prize = t.db.selectFrom("prize").select("drawn").where("id", "=", round.prize_id);
  expect(await prize.executeTakeFirst()).toEqual({ drawn: 3 });
});

describe("locks of a draw", () => {
  test("that holds its stock start with the players, so that there is no deadlock", async () => {
    const round = await makeRound(t.db);
    const [one, two] = [await makePlayer(t.db), await makePlayer(t.db)];
    await inTransaction(t.db, async (tx) => {
      await lockDraw(tx, round.rounds_id, [one.player_id]);
      // The draw locks `two` and waits for the stock; the deposits wait for `one` and then for `two`.
      const drawing = draw(drawQueue(t.db), round, two);
      await untilWaiting(t.db);
      const rows = [one, two].map(({ player_id, user_name }) =>
        depositOf(player_id, { user_name }),
      );
      const feeding = feed(t.db, "deposits", rows);
      await untilWaiting(t.db, 2);
      const mine = sql`select from player where player_key = ${one.player_key} for share nowait`;
      await mine.execute(tx);
      return { drawing, feeding };
    }).then(async ({ drawing, feeding }) => {
      expect(await drawing).toHaveProperty("drawn");
      expect(await feeding).toMatchObject({ accepted: 2 });
    });
  });

  test("and those of ingest, grants and blocks never deadlock", async () => {
    const rounds = [await makeRound(t.db, { condition_times: 5 })];
    const [first] = rounds;
    rounds.push(await makeRound(t.db, { condition_times: 5, pool_id: first?.pool_id ?? 0 }));
    const players = await Promise.all(Array.from({ length: 12 }, () => makePlayer(t.db)));
    const queues = [drawQueue(t.db), drawQueue(t.db)] as const;
    const names = players.map((player) => player.user_name);
    const turns = Array.from({ length: 20 }, (_, turn) => {
      const some = turn % 2 === 0 ? players : players.toReversed();
      const deposits = some.map(({ player_id, user_name }) => depositOf(player_id, { user_name }));
      const blocked = turn % 3 === 0;
      const states = some.map(({ player_id, user_name }) => ({ player_id, user_name, blocked }));
      return [
        ...rounds.flatMap((round) =>
          some.map((player) => draw(queues[turn % 2 === 0 ? 0 : 1], round, player)),
        ),
        feed(t.db, "deposits", deposits),
        grant(names, "2036-01-01 00:00:00"),
        feed(t.db, "players", states),
      ];
    });
    const ends = await Promise.allSettled(turns.flat());
    const failed = ends
      .filter((end) => end.status === "rejected")
      .map((end): unknown => end.reason);
    expect(failed).toEqual([]);
    const rows = await t.sql<{ deadlocks: number }>`
      select deadlocks::int from pg_stat_database where datname = current_database()`;
    expect(rows).toEqual([{ deadlocks: 0 }]);
  });
});
