import { deriveDraw } from "@red/engine/draw";
import { createPrize } from "#pools/change-prize";
import { drawQueue } from "./draw-queue.ts";
import type { DrawQueue } from "./draw-queue.ts";
import { pauseActivity } from "#rounds/change-activity";
import { inTransaction } from "#platform/db/connection";
import { OPERATOR, prizeForm } from "#test/activity-factory";
import { makeExtraTime, makePlayer, makePool, makeRound } from "#test/factories";
import { fresh } from "#test/ingest-factory";
import { hold, untilWaiting } from "#test/races";
import { changeRows, rowOf } from "#test/rows";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";

const t = useTestDb();

/** Creates a running round without a condition, with its default prize or with the given prizes instead. */
async function makeOpenRound(
  condition_times: number,
  prizes: readonly Partial<Parameters<typeof prizeForm>[0]>[] = [],
) {
  const pool_name = fresh("pool");
  const pool_id = await makePool(t.db, { pool_name });
  const { rounds_id, prize_id } = await makeRound(t.db, { pool_id, condition_times });
  if (prizes.length > 0) {
    await t.db.deleteFrom("prize").where("id", "=", prize_id).execute();
  }
  for (const prize of prizes) {
    const form = prizeForm({ pool_name, award_price: "1.00", ...prize });
    await inTransaction(t.db, (tx) => createPrize(tx, OPERATOR, form));
  }
  return { rounds_id, pool_id, pool_name };
}

async function makePlayers(count: number): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: count }, () => makePlayer(t.db)));
  return made.map(({ player_id }) => player_id);
}

async function records(rounds_id: number) {
  return await t.db
    .selectFrom("draw_record as r")
    .innerJoin("payout as o", "o.log_id", "r.id")
    .selectAll("r")
    .select(["o.state", "o.amount_cents"])
    .where("r.rounds_id", "=", rounds_id)
    .orderBy("r.id")
    .execute();
}

const draw = (queue: DrawQueue, rounds_id: number, player_id: string, request_id = fresh("r")) =>
  queue.draw("rk_test", { request_id, rounds_id, player_id });

/** Returns two queues in turn. Each queue acts as a separate process. */
function twoQueues(): () => DrawQueue {
  const queues = [drawQueue(t.db), drawQueue(t.db)] as const;
  let turns = 0;
  return () => queues[turns++ % 2 === 0 ? 0 : 1];
}

describe("draws", () => {
  test("sell a pool out exactly, however many ask at once of two queues", async () => {
    const { rounds_id: round, pool_id } = await makeOpenRound(5, [
      { award_name: "a", weight: 1, award_total: 10 },
      { award_name: "b", weight: 50, award_total: 60, award_price: "0.00" },
      { award_name: "c", weight: 9, award_total: 30, floors: 1 },
    ]);
    const players = await makePlayers(160);
    const inTurn = twoQueues();
    const results = await Promise.all(players.map((player) => draw(inTurn(), round, player)));
    const refused = results.filter((result) => "refused" in result);
    expect(refused).toHaveLength(60);
    expect(refused).toEqual(refused.map(() => ({ refused: "sold_out" })));
    const made = await records(round);
    expect(made).toHaveLength(100);
    const prizes = t.db.selectFrom("prize").selectAll().where("pool_id", "=", pool_id);
    for (const prize of await prizes.execute()) {
      const count = made.filter((record) => record.prize_id === prize.id).length;
      expect(prize).toMatchObject({ drawn: prize.award_total });
      expect(count).toBe(prize.award_total);
    }
    expect(made.filter((record) => record.state === "waiting_delivery")).toHaveLength(60);
    expect(
      made.filter((record) => record.state === "queued" && record.amount_cents === 100),
    ).toHaveLength(40);
  });

  test("are visible to all once each is answered", async () => {
    const { rounds_id: round } = await makeOpenRound(5);
    const [player = ""] = await makePlayers(1);
    const queue = drawQueue(t.db);
    for (const count of [1, 2, 3, 4, 5]) {
      await draw(queue, round, player);
      expect(await records(round)).toHaveLength(count);
    }
  });

  test("can each be derived again from the record", async () => {
    const { rounds_id: round } = await makeOpenRound(5, [
      { award_name: "a", weight: 30, award_total: 3 },
      { award_name: "b", weight: 20, award_total: 4, floors: 1 },
      { award_name: "c", weight: 10, award_total: 5 },
      { award_name: "d", weight: 40, award_total: 28 },
    ]);
    const players = await makePlayers(40);
    const queue = drawQueue(t.db);
    await Promise.all(players.map((player) => draw(queue, round, player)));
    const made = await records(round);
    expect(made).toHaveLength(40);
    for (const record of made) {
      const { pool_id, pool_version: version } = record;
      const { prizes } = await rowOf(t.db, "pool_version", { pool_id, version });
      const derived = deriveDraw(prizes, record.ticket, record.fallback_ticket, record.exhausted);
      expect(derived).toBe(record.prize_id);
      const earlier = made.filter((other) => other.id < record.id);
      const gone = prizes.filter(
        (prize) =>
          earlier.filter((other) => other.prize_id === prize.id).length === prize.award_total,
      );
      expect(record.exhausted).toEqual(gone.map((prize) => prize.id));
    }
  });

  test("of one player never exceed the earned chances, also through two queues", async () => {
    const { rounds_id: round } = await makeOpenRound(3);
    const [player = ""] = await makePlayers(1);
    const inTurn = twoQueues();
    const results = await Promise.all(
      Array.from({ length: 60 }, () => draw(inTurn(), round, player)),
    );
    expect(results.filter((result) => "drawn" in result)).toHaveLength(3);
    expect((await records(round)).map((record) => record.draw_no)).toEqual([1, 2, 3]);
    const refusals = results.filter((result) => "refused" in result);
    expect(refusals).toEqual(refusals.map(() => ({ refused: "no_chance_left" })));
    // The database itself prevents two draws with the same number.
    const again = sql`update draw_record set draw_no = 2 where rounds_id = ${round} and draw_no = 3`;
    await expect(again.execute(t.db)).rejects.toThrow("violates unique constraint");
  });
});

describe("a request_id", () => {
  test("sent a hundred times at once makes one record and one answer", async () => {
    const { rounds_id: round } = await makeOpenRound(5);
    const [player = ""] = await makePlayers(1);
    const inTurn = twoQueues();
    const request_id = fresh("same");
    const results = await Promise.all(
      Array.from({ length: 100 }, () => draw(inTurn(), round, player, request_id)),
    );
    const drawn = results.flatMap((result) => ("drawn" in result ? [result.drawn] : []));
    expect(drawn).toHaveLength(100);
    expect(new Set(drawn.map((one) => `${one.log_id} ${one.trans_sn}`)).size).toBe(1);
    expect(drawn.filter((one) => !one.isRepeat)).toHaveLength(1);
    expect(await records(round)).toHaveLength(1);
  });

  test("is answered again after the round was paused, and refused with other content", async () => {
    const { rounds_id: round } = await makeOpenRound(5);
    const [player = "", other = ""] = await makePlayers(2);
    const request_id = fresh("kept");
    const first = await draw(drawQueue(t.db), round, player, request_id);
    await inTransaction(t.db, (tx) => pauseActivity(tx, OPERATOR, round, 0));
    const again = await draw(drawQueue(t.db), round, player, request_id);
    expect(again).toEqual({
      drawn: { ...("drawn" in first ? first.drawn : {}), isRepeat: true },
    });
    expect(await draw(drawQueue(t.db), round, other, request_id)).toEqual({
      refused: "request_id_reused",
    });
  });

  test("that was refused is judged again", async () => {
    const { rounds_id: round } = await makeOpenRound(5);
    const request_id = fresh("later");
    const queue = drawQueue(t.db);
    expect(await draw(queue, round, "p-later", request_id)).toEqual({
      refused: "player_not_found",
    });
    await t.db.insertInto("player").values({ player_id: "p-later", user_name: "later" }).execute();
    expect(await draw(queue, round, "p-later", request_id)).toHaveProperty("drawn");
  });
});

test("refusals name their reason in order", async () => {
  const { rounds_id: round } = await makeOpenRound(1, [{ weight: 0 }]);
  const [player = "", blocked = ""] = await makePlayers(2);
  await changeRows(t.db, "player", { player_id: blocked }, { blocked: true });
  const queue = drawQueue(t.db);
  expect(await draw(queue, 999_999, player)).toEqual({ refused: "round_not_found" });
  expect(await draw(queue, round, "nobody")).toEqual({ refused: "player_not_found" });
  expect(await draw(queue, round, blocked)).toEqual({ refused: "player_blocked" });
  expect(await draw(queue, round, player)).toEqual({ refused: "sold_out" });
  await inTransaction(t.db, (tx) => pauseActivity(tx, OPERATOR, round, 0));
  expect(await draw(queue, round, "nobody")).toEqual({ refused: "round_not_active" });
  expect(await records(round)).toHaveLength(0);
});

describe("an extra time", () => {
  test("that expires before the round is used before the earned chance, and once", async () => {
    const { rounds_id: round } = await makeOpenRound(1);
    const { player_key, player_id } = await makePlayer(t.db);
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    await makeExtraTime(t.db, { player_key, tag: "dragon" });
    await makeExtraTime(t.db, { player_key, expire_time: inDays(-1) });
    const late = await makeExtraTime(t.db, { player_key, expire_time: inDays(0.5) });
    const soon = await makeExtraTime(t.db, { player_key });
    const queue = drawQueue(t.db);
    const asked = Array.from({ length: 5 }, () => draw(queue, round, player_id));
    const results = await Promise.all(asked);
    expect(results.filter((result) => "drawn" in result)).toHaveLength(3);
    const used = (await records(round)).map((record) => record.extra_time_id);
    expect(used).toEqual([soon, late, null]);
  });

  test("serves one of two rounds of its group, whichever comes first", async () => {
    const { rounds_id: slow, pool_id } = await makeRound(t.db, { tag: "dragon" });
    const { rounds_id: quick } = await makeRound(t.db, { tag: "dragon", pool_id });
    const { player_key, player_id: player } = await makePlayer(t.db);
    const id = await makeExtraTime(t.db, { player_key, tag: "dragon" });
    // The extra time is chosen in one round, whose commit waits, and meanwhile used in the other round.
    const held = await hold(t.db, (tx) => sql`select hold_round(${slow}, true)`.execute(tx));
    const waiting = draw(drawQueue(t.db), slow, player);
    await untilWaiting(t.db, 1);
    await draw(drawQueue(t.db), quick, player);
    await held.commit();
    await waiting;
    const used = [...(await records(quick)), ...(await records(slow))];
    expect(used.map((record) => record.extra_time_id)).toEqual([id, null]);
  });
});

test("a pause lets no draw commit after its answer", async () => {
  const { rounds_id: round } = await makeOpenRound(5);
  const players = await makePlayers(400);
  const queue = drawQueue(t.db);
  const asked = players.flatMap((player) => [
    draw(queue, round, player),
    draw(queue, round, player),
  ]);
  await asked[0];
  await inTransaction(t.db, (tx) => pauseActivity(tx, OPERATOR, round, 0));
  const atPause = (await records(round)).length;
  const results = await Promise.all(asked);
  expect((await records(round)).length).toBe(atPause);
  expect(results.filter((result) => "drawn" in result)).toHaveLength(atPause);
  expect(results.filter((result) => "refused" in result)).toEqual(
    Array.from({ length: 800 - atPause }, () => ({ refused: "round_not_active" })),
  );
});

// If the machine is too busy for one draw per second, the test may miss the last second.
test("a round is drawn in through its last second, and no more", { retry: 5 }, async () => {
  const { rounds_id: round } = await makeOpenRound(5);
  const [player = ""] = await makePlayers(1);
  const endedAgo = async (ago: string) => {
    const end_time = sql<Date>`clock_timestamp() - ${ago}::interval`;
    await changeRows(t.db, "activity", { id: round }, { end_time });
    return await draw(drawQueue(t.db), round, player);
  };
  expect(await endedAgo("10 milliseconds")).toHaveProperty("drawn");
  expect(await endedAgo("1001 milliseconds")).toEqual({ refused: "round_not_active" });
});

test("a pool that is edited takes effect on the next draw, and every record names the version it was drawn from", async () => {
  const { rounds_id: round, pool_name } = await makeOpenRound(5);
  const players = await makePlayers(100);
  const queue = drawQueue(t.db);
  const before = players.slice(0, 50).map((player) => draw(queue, round, player));
  const form = prizeForm({
    pool_name,
    award_name: "b",
    weight: 1_000_000,
    award_total: 900,
  });
  const { data } = await inTransaction(t.db, (tx) => createPrize(tx, OPERATOR, form));
  const after = await Promise.all(players.slice(50).map((player) => draw(queue, round, player)));
  await Promise.all(before);
  expect(after.every((result) => "drawn" in result)).toBe(true);
  const made = await records(round);
  const versions = new Map(made.map((record) => [record.id, record.pool_version]));
  for (const result of after) {
    expect(versions.get("drawn" in result ? result.drawn.log_id : 0)).toBe(2);
  }
  for (const record of made.filter((one) => one.prize_id === data.id)) {
    expect(record.pool_version).toBe(2);
  }
});
