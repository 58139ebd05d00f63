/** Nothing commits after the response to a stop, while draws, stops and crashes run at once (behaviour §5). */
import { drawQueue } from "#draws/draw-queue";
import { setStopSwitch } from "./stop-switches.ts";
import type { StopTarget } from "./stop-switches.ts";
import { inTransaction } from "#platform/db/connection";
import { lockDraw } from "#draws/draw-sql";
import { selectStops } from "./stop-switch-sql.ts";
import { OPERATOR } from "#test/activity-factory";
import { countRecords, drawOnce, makeDrawable, startDrawProcess } from "#test/draw-factory";
import { until } from "#test/payout-factory";
import { hold, untilWaiting } from "#test/races";
import { clear, useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";

const t = useTestDb();

beforeEach(() => clear(t.db, "stop_switch"));

async function makeOne() {
  const made = await makeDrawable(t, { rounds: 1, players: 1 });
  const [rounds_id = 0] = made.rounds_ids;
  const [player_id = ""] = made.player_ids;
  const draw = (queue = drawQueue(t.db)) => drawOnce(queue, rounds_id, player_id);
  return { ...made, rounds_id, player_id, draw };
}

async function stopped(target: StopTarget): Promise<Date> {
  await inTransaction(t.db, (tx) => setStopSwitch(tx, OPERATOR, target, null));
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(t.db);
  return rows[0]?.at ?? new Date(0);
}

describe("a stop while 64 draws are in flight", () => {
  test.each(["draws", "everything", "pool"] as const)(
    "of %s: no record after the answer, each draw answered for what became of it",
    async (name) => {
      const made = await makeDrawable(t, { rounds: 3, players: 64 });
      const queue = drawQueue(t.db);
      let isOver = false;
      const results: string[] = [];
      const askers = made.player_ids.map(async (player_id) => {
        for (let turn = 0; !isOver; turn += 1) {
          const rounds_id = made.rounds_ids[turn % made.rounds_ids.length] ?? 0;
          const result = await drawOnce(queue, rounds_id, player_id);
          results.push("drawn" in result ? "drawn" : result.refused);
          if ("refused" in result && result.refused === "draws_stopped") {
            return;
          }
        }
      });
      await until("draws", async () => results.filter((one) => one === "drawn").length >= 64);
      expect(queue.inFlight()).toBeGreaterThan(32);
      const at = await stopped(name === "pool" ? { name, pool_id: made.pool_id } : { name });
      const atAnswer = await countRecords(t, made);
      await Promise.all(askers);
      isOver = true;
      const after = await countRecords(t, made);
      expect(after).toEqual(atAnswer);
      expect(after.last?.getTime()).toBeLessThanOrEqual(at.getTime());
      expect(results.filter((one) => one === "drawn")).toHaveLength(after.count);
      expect(results.filter((one) => one === "draws_stopped")).toHaveLength(64);
    },
  );

  test("is waited for by the stop, also when its batch holds the stock", async () => {
    const { rounds_id, draw } = await makeOne();
    const batch = await hold(t.db, (tx) => lockDraw(tx, rounds_id, []));
    let isAnswered = false;
    const stop = stopped({ name: "draws" }).then(() => {
      isAnswered = true;
      return null;
    });
    await untilWaiting(t.db);
    expect(isAnswered).toBe(false);
    await batch.commit();
    await stop;
    expect(await draw()).toEqual({ refused: "draws_stopped" });
  });

  test("that was decided before the stop and commits after it is decided again", async () => {
    const made = await makeOne();
    const stop = await hold(t.db, (tx) =>
      setStopSwitch(tx, OPERATOR, { name: "pool", pool_id: made.pool_id }, null),
    );
    // The draw reads before the stop commits, so the draw does not see the stop yet and waits to commit.
    const drawn = made.draw();
    await untilWaiting(t.db);
    await stop.commit();
    expect(await drawn).toEqual({ refused: "draws_stopped" });
    expect(await countRecords(t, made)).toEqual({ count: 0, last: null });
  });
});

describe("what a stop does not touch", () => {
  test("draws from another pool go on", async () => {
    const { pool_id, draw } = await makeOne();
    const other = await makeOne();
    await stopped({ name: "pool", pool_id });
    expect(await draw()).toEqual({ refused: "draws_stopped" });
    expect(await other.draw()).toHaveProperty("drawn");
  });

  test("draws go on while payouts are stopped", async () => {
    const { draw } = await makeOne();
    await stopped({ name: "payouts" });
    expect(await draw()).toHaveProperty("drawn");
  });

  test("a repeated request gets its answer, and other refusals keep their order", async () => {
    const { rounds_id, player_id } = await makeOne();
    const queue = drawQueue(t.db);
    const request = { request_id: "kept", rounds_id, player_id };
    const first = await queue.draw("rk_test", request);
    await stopped({ name: "draws" });
    const again = await queue.draw("rk_test", request);
    expect(again).toEqual({ drawn: { ...("drawn" in first ? first.drawn : {}), isRepeat: true } });
    expect(await drawOnce(queue, 999_999, player_id)).toEqual({ refused: "round_not_found" });
    expect(await drawOnce(queue, rounds_id, "nobody")).toEqual({ refused: "draws_stopped" });
  });
});

describe("a crash", () => {
  test("of the drawing process at the time of the answer: no record after it", async () => {
    const made = await makeDrawable(t, { rounds: 4, players: 2_000 });
    const drawing = await startDrawProcess(t, made, 64);
    await until("draws under way", async () => drawing.answers.length > 200);
    const at = await stopped({ name: "everything" });
    const atAnswer = await countRecords(t, made);
    await drawing.kill();
    // The database may still finish work for the killed process, so wait until its session has ended.
    await until("no session of it", async () => (await sessionsOf("test draws")) === 0);
    const after = await countRecords(t, made);
    expect(after).toEqual(atAnswer);
    expect(after.last?.getTime()).toBeLessThanOrEqual(at.getTime());
    expect(drawing.answers.filter((answer) => answer === "drawn").length).toBeLessThanOrEqual(
      after.count,
    );
  });

  test("of the stop, before its answer, leaves nothing stopped", async () => {
    const { rounds_id, draw } = await makeOne();
    const batch = await hold(t.db, (tx) => lockDraw(tx, rounds_id, []));
    const stop = stopped({ name: "everything" }).catch((fault: unknown) => fault);
    await untilWaiting(t.db);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(t.db);
    expect(await stop).toBeInstanceOf(Error);
    await batch.commit();
    expect(await selectStops(t.db)).toEqual([]);
    expect(await draw()).toHaveProperty("drawn");
  });
});

async function sessionsOf(name: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_stat_activity
    where datname = current_database() and application_name = ${name}`.execute(t.db);
  return rows[0]?.n ?? 0;
}
