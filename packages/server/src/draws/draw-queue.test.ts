import { deriveDraw } from "@red/engine/draw";
import { createActivity } from "#rounds/create-activity";
import { createPrize } from "#rounds/create-prize";
import { drawQueue } from "./draw-queue.ts";
import type { DrawQueue } from "./draw-queue.ts";
import { pauseActivity } from "#rounds/pause-activity";
import { inTransaction } from "#platform/connection";
import type { VersionPrize } from "#platform/schema";
import { activityForm, OPERATOR, prizeForm, ZONE } from "#test/activity-factory";
import { hold, untilWaiting } from "#test/races";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";

const t = useTestDb();
const KEY = "rk_test";
let names = 0;

function fresh(what: string): string {
  names += 1;
  return `${what}${names}`;
}

interface Prize {
  readonly award_name: string;
  readonly award_price?: string;
  readonly weight: number;
  readonly award_total: number;
  readonly floors?: 0 | 1;
}

async function makePool(prizes: readonly Prize[]): Promise<string> {
  const pool_name = fresh("pool");
  for (const prize of prizes) {
    const form = prizeForm({ pool_name, award_price: "1.00", floors: 0, ...prize });
    await inTransaction(t.db, (tx) => createPrize(tx, OPERATOR, form));
  }
  return pool_name;
}

/** A running round with no limit and `times` draws each unless changed. */
async function makeRound(pool_name: string, times = 5, tag = "weekend"): Promise<number> {
  const form = activityForm({
    pool_name,
    tag,
    rounds_name: fresh("round"),
    condition_name: "0",
    condition_formula: "0",
    condition_type: "0",
    condition_value: "0",
    condition_times: times,
    achieve_start_time: "2026-01-01 00:00:00",
    achieve_end_time: "2036-01-01 00:00:00",
    start_time: "2026-01-01 00:00:00",
    end_time: "2036-01-01 00:00:00",
  });
  return await inTransaction(t.db, (tx) => createActivity(tx, OPERATOR, form, ZONE));
}

async function makePlayers(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => fresh("p"));
  await t.db
    .insertInto("player")
    .values(ids.map((player_id) => ({ player_id, user_name: `user-${player_id}` })))
    .execute();
  return ids;
}

async function records(rounds_id: number) {
  return await t.db
    .selectFrom("draw_record as r")
    .innerJoin("player as p", "p.player_key", "r.player_key")
    .innerJoin("payout as o", "o.log_id", "r.id")
    .selectAll("r")
    .select(["p.player_id", "o.state", "o.amount_cents", "o.trans_sn"])
    .where("r.rounds_id", "=", rounds_id)
    .orderBy("r.id")
    .execute();
}

async function stock(pool_name: string) {
  return await t.db
    .selectFrom("prize as z")
    .innerJoin("pool as p", "p.id", "z.pool_id")
    .select(["z.id", "z.award_name", "z.award_total", "z.drawn"])
    .where("p.pool_name", "=", pool_name)
    .orderBy("z.id")
    .execute();
}

const draw = (queue: DrawQueue, rounds_id: number, player_id: string, request_id = fresh("r")) =>
  queue.draw(KEY, { request_id, rounds_id, player_id });

describe("draws", () => {
  test("sell a pool out exactly, however many ask at once of two queues", async () => {
    const pool = await makePool([
      { award_name: "a", weight: 1, award_total: 10 },
      { award_name: "b", weight: 50, award_total: 60, award_price: "0.00" },
      { award_name: "c", weight: 9, award_total: 30, floors: 1 },
    ]);
    const round = await makeRound(pool);
    const players = await makePlayers(160);
    const queues = [drawQueue(t.db), drawQueue(t.db)] as const;
    const results = await Promise.all(
      players.map((player, at) => draw(queues[at % 2 === 0 ? 0 : 1], round, player)),
    );
    const refused = results.filter((result) => "refused" in result);
    expect(refused).toHaveLength(60);
    expect(refused).toEqual(refused.map(() => ({ refused: "sold_out" })));
    const made = await records(round);
    expect(made).toHaveLength(100);
    for (const prize of await stock(pool)) {
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
    const round = await makeRound(await makePool([{ award_name: "a", weight: 1, award_total: 9 }]));
    const [player = ""] = await makePlayers(1);
    const queue = drawQueue(t.db);
    for (const count of [1, 2, 3, 4, 5]) {
      await draw(queue, round, player);
      expect(await records(round)).toHaveLength(count);
    }
  });

  test("can each be derived again from the record", async () => {
    const pool = await makePool([
      { award_name: "a", weight: 30, award_total: 3 },
      { award_name: "b", weight: 20, award_total: 4, floors: 1 },
      { award_name: "c", weight: 10, award_total: 5 },
      { award_name: "d", weight: 40, award_total: 28 },
    ]);
    const round = await makeRound(pool);
    const players = await makePlayers(40);
    const queue = drawQueue(t.db);
    await Promise.all(players.map((player) => draw(queue, round, player)));
    const made = await records(round);
    expect(made).toHaveLength(40);
    for (const record of made) {
      const version = await t.db
        .selectFrom("pool_version")
        .select("prizes")
        .where("pool_id", "=", record.pool_id)
        .where("version", "=", record.pool_version)
        .executeTakeFirstOrThrow();
      const prizes: VersionPrize[] = version.prizes;
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
    const pool = await makePool([{ award_name: "a", weight: 1, award_total: 1000 }]);
    const round = await makeRound(pool, 3);
    const [player = ""] = await makePlayers(1);
    const queues = [drawQueue(t.db), drawQueue(t.db)] as const;
    const results = await Promise.all(
      Array.from({ length: 60 }, (_, at) => draw(queues[at % 2 === 0 ? 0 : 1], round, player)),
    );
    expect(results.filter((result) => "drawn" in result)).toHaveLength(3);
    expect((await records(round)).map((record) => record.draw_no)).toEqual([1, 2, 3]);
    const refusals = results.filter((result) => "refused" in result);
    expect(refusals).toEqual(refusals.map(() => ({ refused: "no_chance_left" })));
    // The database itself counts no chance twice, whatever a writer believes.
    const again = sql`update draw_record set draw_no = 2 where rounds_id = ${round} and draw_no = 3`;
    await expect(again.execute(t.db)).rejects.toThrow("violates unique constraint");
  });
});

describe("a request_id", () => {
  test("sent a hundred times at once makes one record and one answer", async () => {
    const pool = await makePool([{ award_name: "a", weight: 1, award_total: 10 }]);
    const round = await makeRound(pool);
    const [player = ""] = await makePlayers(1);
    const queues = [drawQueue(t.db), drawQueue(t.db)] as const;
    const request_id = fresh("same");
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        draw(queues[at % 2 === 0 ? 0 : 1], round, player, request_id),
      ),
    );
    const drawn = results.flatMap((result) => ("drawn" in result ? [result.drawn] : []));
    expect(drawn).toHaveLength(100);
    expect(new Set(drawn.map((one) => `${one.log_id} ${one.trans_sn}`)).size).toBe(1);
    expect(drawn.filter((one) => !one.isRepeat)).toHaveLength(1);
    expect(await records(round)).toHaveLength(1);
  });

  test("is answered again after the round was paused, and refused with other content", async () => {
    const pool = await makePool([{ award_name: "a", weight: 1, award_total: 10 }]);
    const round = await makeRound(pool);
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
    const pool = await makePool([{ award_name: "a", weight: 1, award_total: 10 }]);
    const round = await makeRound(pool);
    const request_id = fresh("later");
    const queue = drawQueue(t.db);
    expect(await draw(queue, round, "p-later", request_id)).toEqual({
      refused: "player_not_found",
    });
    await t.db.insertInto("player").values({ player_id: "p-later", user_name: "later" }).execute();
    expect(await draw(queue, round, "p-later", request_id)).toHaveProperty("drawn");
  });
});

describe("refusals", () => {
  test("name their reason in order", async () => {
    const pool = await makePool([{ award_name: "a", weight: 0, award_total: 10 }]);
    const round = await makeRound(pool, 1);
    const [player = "", blocked = ""] = await makePlayers(2);
    await t.db
      .updateTable("player")
      .set({ blocked: true })
      .where("player_id", "=", blocked)
      .execute();
    const queue = drawQueue(t.db);
    expect(await draw(queue, 999_999, player)).toEqual({ refused: "round_not_found" });
    expect(await draw(queue, round, "nobody")).toEqual({ refused: "player_not_found" });
    expect(await draw(queue, round, blocked)).toEqual({ refused: "player_blocked" });
    expect(await draw(queue, round, player)).toEqual({ refused: "sold_out" });
    await inTransaction(t.db, (tx) => pauseActivity(tx, OPERATOR, round, 0));
    expect(await draw(queue, round, "nobody")).toEqual({ refused: "round_not_active" });
    expect(await records(round)).toHaveLength(0);
  });
});

describe("an extra time", () => {
  async function grant(player_id: string, tag: string, expire: string): Promise<number> {
    const { rows } = await sql<{ id: number }>`
      insert into extra_time (player_key, tag, expire_time, granted_by)
      select player_key, ${tag}, now() + ${expire}::interval, 'test' from player
      where player_id = ${player_id} returning id`.execute(t.db);
    return rows[0]?.id ?? 0;
  }

  test("that expires before the round is used before the earned chance, and once", async () => {
    const pool = await makePool([{ award_name: "a", weight: 1, award_total: 10 }]);
    const round = await makeRound(pool, 1);
    const [player = ""] = await makePlayers(1);
    await grant(player, "dragon", "1 day");
    await grant(player, "weekend", "-1 day");
    const late = await grant(player, "weekend", "2 days");
    const soon = await grant(player, "weekend", "1 hour");
    const queue = drawQueue(t.db);
    const results = await Promise.all(Array.from({ length: 5 }, () => draw(queue, round, player)));
    expect(results.filter((result) => "drawn" in result)).toHaveLength(3);
    const used = (await records(round)).map((record) => record.extra_time_id);
    expect(used).toEqual([soon, late, null]);
  });

  test("serves one of two rounds of its group, whichever comes first", async () => {
    const pool = await makePool([{ award_name: "a", weight: 1, award_total: 100 }]);
    const [slow, quick] = [
      await makeRound(pool, 1, "dragon"),
      await makeRound(pool, 1, "dragon"),
    ] as const;
    const [player = ""] = await makePlayers(1);
    const id = await grant(player, "dragon", "1 hour");
    // Chosen in one round, whose commit waits, and used in the other meanwhile.
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

describe("a pause", () => {
  test("lets no draw commit after its answer", async () => {
    const pool = await makePool([{ award_name: "a", weight: 1, award_total: 100_000 }]);
    const round = await makeRound(pool, 5);
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
});

// On a machine too busy for one draw per second, the last second may pass unseen.
test("a round is drawn in through its last second, and no more", { retry: 5 }, async () => {
  const round = await makeRound(await makePool([{ award_name: "a", weight: 1, award_total: 10 }]));
  const [player = ""] = await makePlayers(1);
  const endedAgo = async (ago: string) => {
    await t.db
      .updateTable("activity")
      .set({ end_time: sql`clock_timestamp() - ${ago}::interval` })
      .where("id", "=", round)
      .execute();
    return await draw(drawQueue(t.db), round, player);
  };
  expect(await endedAgo("10 milliseconds")).toHaveProperty("drawn");
  expect(await endedAgo("1001 milliseconds")).toEqual({ refused: "round_not_active" });
});

describe("a pool that is edited", () => {
  test("takes effect on the next draw, and every record names the version it was drawn from", async () => {
    const pool = await makePool([{ award_name: "a", weight: 1, award_total: 500 }]);
    const round = await makeRound(pool, 5);
    const players = await makePlayers(100);
    const queue = drawQueue(t.db);
    const before = players.slice(0, 50).map((player) => draw(queue, round, player));
    const form = prizeForm({
      pool_name: pool,
      award_name: "b",
      weight: 1_000_000,
      award_total: 900,
    });
    const id = await inTransaction(t.db, (tx) => createPrize(tx, OPERATOR, form));
    const after = await Promise.all(players.slice(50).map((player) => draw(queue, round, player)));
    await Promise.all(before);
    expect(after.every((result) => "drawn" in result)).toBe(true);
    const made = await records(round);
    const versions = new Map(made.map((record) => [record.id, record.pool_version]));
    for (const result of after) {
      expect(versions.get("drawn" in result ? result.drawn.log_id : 0)).toBe(2);
    }
    for (const record of made.filter((one) => one.prize_id === id)) {
      expect(record.pool_version).toBe(2);
    }
  });
});
