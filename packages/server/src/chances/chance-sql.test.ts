import { PRESETS } from "@red/contract/platform/codes";
import { formatCents, parseCents } from "@red/contract/platform/money";
import { NO_FACTS } from "@red/engine/chances";
import { chanceMemory, chanceReader } from "./chance-reader.ts";
import { daysAround, selectChanceUse, selectEarningFacts } from "./chance-sql.ts";
import { selectStanding } from "./explanation-sql.ts";
import { ZONE } from "#test/activity-factory";
import { makeExtraTime, makeRecords } from "#test/factories";
import {
  depositOf,
  eventOf,
  feed,
  fresh,
  makePlayer,
  makeRound,
  takeBack,
} from "#test/ingest-factory";
import { hold, untilWaiting } from "#test/races";
import { changeRows } from "#test/rows";
import { useTestDb, watched } from "#test/test-db";
import { selectRound, selectRounds } from "#rounds/activity-sql";
import type { ChanceRound } from "#rounds/activity-sql";
import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test, vi } from "vitest";

const t = useTestDb();

async function roundOf(id: number): Promise<ChanceRound> {
  // The test has created the round.
  return (await selectRound(t.db, id)) as ChanceRound;
}

/** Returns the chances of a player as the console explains them, without the cache of the reader. */
async function selectChances(round: ChanceRound, player_key: number) {
  const player = { player_key, blocked: false };
  const { chances, missing_cents } = await selectStanding(t.db, round, player, ZONE);
  return { ...chances, next: missing_cents && { source: "deposit", missing_cents } };
}

async function makeRecord(
  rounds_id: number,
  player_key: number,
  draw_no: number,
  extra_time_id: number | null,
): Promise<number> {
  const round = { rounds_id, pool_id: 1, prize_id: 1 };
  const player = { player_key, player_id: "", user_name: "" };
  const [made] = await makeRecords(t.db, round, player, [{ draw_no, record: { extra_time_id } }]);
  return made?.log_id ?? -1;
}

/** Creates an extra time that expires in `seconds` by the clock of the database. */
async function grant(player_key: number, seconds: number, tag = "weekend"): Promise<number> {
  const expire_time = sql<Date>`date_trunc('milliseconds', now()) + make_interval(secs => ${seconds})`;
  const id = await makeExtraTime(t.db, { player_key, tag });
  await changeRows(t.db, "extra_time", { id }, { expire_time });
  return id;
}

async function markUsed(id: number, used_log_id: number, used_rounds_id: number): Promise<void> {
  await changeRows(t.db, "extra_time", { id }, { used_log_id, used_rounds_id });
}

describe("facts", () => {
  test("are sums of the counting rows; unknown players have none", async () => {
    const round = await roundOf(await makeRound(t.db));
    const player_id = fresh("p");
    const player_key = await makePlayer(t.db, player_id);
    const [other, stranger] = [await makePlayer(t.db), 999_999_999];
    await feed(t.db, "deposits", [
      depositOf(player_id, { amount: "119.99" }),
      depositOf(player_id, { amount: "361" }),
    ]);
    expect(await selectEarningFacts(t.db, round, [player_key, other, stranger])).toEqual(
      new Map([
        [player_key, { sum_cents: 48_099, max_cents: 36_100, fulls: 3 }],
        [other, NO_FACTS],
      ]),
    );
    expect(await selectEarningFacts(t.db, round, [])).toEqual(new Map());
  });

  test("of a player with absurd sums are capped and do not stop the others", async () => {
    const round = await roundOf(await makeRound(t.db, { condition_value_cents: 1 }));
    const player_key = await makePlayer(t.db);
    const other = await makePlayer(t.db);
    await t.sql`select ensure_month('deposit', '2024-05-01')`;
    await t.sql`
      insert into deposit (id, order_no, player_key, amount_cents, channel, client, created_at)
      select n, 'absurd' || n, ${player_key}, 999999999999, 1, 1, '2024-05-10T12:00:00+08:00'
      from generate_series(1, 10000) n`;
    const facts = await selectEarningFacts(t.db, round, [player_key, other]);
    expect(facts.get(player_key)).toEqual({
      sum_cents: 1e15,
      max_cents: 999_999_999_999,
      fulls: 1e15,
    });
    const { total } = await selectChances({ ...round, condition_times: 5 }, player_key);
    expect(Number.isSafeInteger(total)).toBe(true);
    expect(facts.get(other)?.sum_cents).toBe(0);
  });

  test("are read from the window's months only", async () => {
    const round = await roundOf(await makeRound(t.db));
    const player_id = fresh("p");
    const player_key = await makePlayer(t.db, player_id);
    await feed(t.db, "deposits", [
      depositOf(player_id),
      depositOf(player_id, { created_at: "2024-04-30T12:00:00Z" }),
    ]);
    // A read of the April partition would have to wait for this lock.
    const held = await hold(t.db, async (tx) => {
      await sql`lock table deposit_202404 in access exclusive mode`.execute(tx);
    });
    const facts = await selectEarningFacts(t.db, round, [player_key]);
    await held.commit();
    expect(facts.get(player_key)?.sum_cents).toBe(10_000);
  });
});

describe("the use of chances", () => {
  test("counts records, extra times used here and those left", async () => {
    const [round, otherRound] = [await makeRound(t.db), await makeRound(t.db)];
    const [player_key, bystander] = [await makePlayer(t.db), await makePlayer(t.db)];
    await grant(player_key, 3_600);
    await grant(player_key, 60);
    const usedHere = await grant(player_key, 60);
    const usedElsewhere = await grant(player_key, 60);
    await grant(player_key, 60, "dragon");
    await markUsed(usedHere, await makeRecord(round, player_key, 1, usedHere), round);
    const elsewhere = await makeRecord(otherRound, player_key, 1, usedElsewhere);
    await markUsed(usedElsewhere, elsewhere, otherRound);
    await makeRecord(round, player_key, 2, null);
    const useOf = async (key: number) => await selectChanceUse(t.db, round, "weekend", key);
    expect(await useOf(bystander)).toEqual({ already: 0, extra_used_here: 0, extra_unused: 0 });
    expect(await useOf(player_key)).toEqual({ already: 2, extra_used_here: 1, extra_unused: 2 });
    const chances = await selectChances(await roundOf(round), player_key);
    expect(chances).toMatchObject({ total: 3, already: 2, remain: 1 });
  });

  const countUnused = async (round: number, player_key: number) =>
    (await selectChanceUse(t.db, round, "weekend", player_key)).extra_unused;

  test("counts an extra time through its last second and not beyond", async () => {
    const [round, player_key] = [await makeRound(t.db), await makePlayer(t.db)];
    await grant(player_key, -1);
    await grant(player_key, -5);
    expect(await countUnused(round, player_key)).toBe(0);
    await grant(player_key, -0.05);
    expect(await countUnused(round, player_key)).toBe(1);
  });

  test("uses the database's clock, not this process's", async () => {
    const [round, player_key] = [await makeRound(t.db), await makePlayer(t.db)];
    await grant(player_key, 60);
    await grant(player_key, -60);
    for (const hours of [-24, 24]) {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + hours * 3_600_000 });
      onTestFinished(() => void vi.useRealTimers());
      expect(await countUnused(round, player_key)).toBe(1);
      vi.useRealTimers();
    }
  });
});

describe("rounds", () => {
  test(
    "are active from their start through their last second while switched on",
    { retry: 3 },
    async () => {
      const rows = await t.sql<{ now: Date }>`select now() as now`;
      const at = (seconds: number) => new Date((rows[0]?.now.getTime() ?? 0) + seconds * 1_000);
      const now = { start_time: at(-60), end_time: at(60) };
      const running = await makeRound(t.db, now);
      const lastSecond = await makeRound(t.db, { start_time: at(-60), end_time: at(-0.05) });
      const over = await makeRound(t.db, { start_time: at(-60), end_time: at(-1) });
      const ahead = await makeRound(t.db, { start_time: at(30), end_time: at(60) });
      const paused = await makeRound(t.db, { ...now, rounds_status: 0 });
      const mine = new Set([running, lastSecond, over, ahead, paused]);
      const active = await selectRounds(t.db, { active: true, limit: 1_000 });
      expect(new Set(active.map((round) => round.id).filter((id) => mine.has(id)))).toEqual(
        new Set([running, lastSecond]),
      );
      const all = await selectRounds(t.db, { active: false, limit: 1_000 });
      expect(new Set(all.map((round) => round.id).filter((id) => mine.has(id)))).toEqual(mine);
      // Three rounds begin at the same time: the one created last comes first.
      const byStart = all.toSorted(
        (a, b) => b.start_time.getTime() - a.start_time.getTime() || b.id - a.id,
      );
      expect(all.map(({ id }) => id)).toEqual(byStart.map(({ id }) => id));
      const [newest] = await selectRounds(t.db, { active: false, limit: 1 });
      expect(newest?.id).toBe(ahead);
    },
  );
});

describe("earned draws of random rows equal a calculation by hand", () => {
  const start = Date.parse("2024-05-10T00:00:00+08:00");
  const end = Date.parse("2024-05-11T00:00:00+08:00");

  interface Fed {
    readonly player: string;
    readonly cents: number;
    readonly at: number;
    readonly isGone: boolean;
  }

  /** Amounts near the condition value and times near the edges are frequent. */
  function randomRows(seed: number, players: readonly string[], value: number): Fed[] {
    const near = [value, value - 1, value + 1, 2 * value, Math.ceil(value / 2), 1];
    const edges = [start - 1, start, start + 1, end - 1_000, end - 1, end];
    const row = fc.record({
      player: fc.constantFrom(...players),
      cents: fc.oneof(fc.constantFrom(...near), fc.integer({ min: 1, max: 3 * value })),
      at: fc.oneof(fc.constantFrom(...edges), fc.integer({ min: start, max: end - 1 })),
      isGone: fc.integer({ min: 1, max: 6 }).map((dice) => dice === 6),
    });
    return fc.sample(row, { seed, numRuns: 160 });
  }

  /** The table of behaviour §4, row by row, in bigint. */
  function byHand(code: string, times: number, value: bigint, rows: readonly Fed[]): number {
    const counted = rows
      .filter((row) => !row.isGone && row.at >= start && row.at < end)
      .map((row) => BigInt(row.cents));
    const sum = counted.reduce((total, amount) => total + amount, 0n);
    switch (code.slice(0, 3)) {
      case "1,2":
        return Number(sum / value) * times;
      case "1,1":
        return sum >= value ? times : 0;
      case "3,2":
        return Number(counted.reduce((total, amount) => total + amount / value, 0n)) * times;
      case "3,1":
        return counted.some((amount) => amount >= value) ? times : 0;
      default:
        return code === "0" ? times : 0;
    }
  }

  test.each(PRESETS.map((preset) => [preset.key, preset] as const))("%s", async (_, preset) => {
    const value = parseCents(preset.value) ?? 0;
    const players = Array.from({ length: 8 }, () => fresh("p"));
    const keys = await Promise.all(players.map((player) => makePlayer(t.db, player)));
    const rows = randomRows(PRESETS.indexOf(preset), players, Math.max(value, 5_000));
    const kind = preset.condition_name === "1" ? "bets" : "deposits";
    const sent = rows.map(({ player, cents, at }) =>
      eventOf(kind, player, formatCents(cents), new Date(at).toISOString()),
    );
    expect((await feed(t.db, kind, sent)).accepted).toBe(rows.length);
    // Rows of the other kind must not count.
    const other = kind === "bets" ? "deposits" : "bets";
    const noon = "2024-05-10T04:00:00.000Z";
    const others = players.map((player) => eventOf(other, player, "99999.00", noon));
    await feed(t.db, other, others);
    const gone = sent.filter((_row, at) => rows[at]?.isGone === true);
    expect((await takeBack(t.db, gone)).accepted).toBe(gone.length);
    const id = await makeRound(t.db, {
      condition_name: preset.condition_name,
      condition_formula: preset.condition_formula,
      condition_type: preset.condition_type,
      condition_value_cents: value,
      condition_times: preset.times,
    });
    const round = await roundOf(id);
    for (const [at, player] of players.entries()) {
      const own = rows.filter((row) => row.player === player);
      const expected = byHand(preset.code, preset.times, BigInt(value), own);
      expect(await selectChances(round, keys[at] ?? -1)).toMatchObject({
        total: expected,
        remain: expected,
      });
    }
  });
});

test("the memory of chances keeps what was used last, over all rounds, and forgets a round at once", () => {
  const memory = chanceMemory("Asia/Shanghai", 10);
  const keep = (rounds_id: number, key: number) =>
    memory.keep(rounds_id, 1, [
      {
        player_key: key,
        player_id: `p${key}`,
        version: 1,
        draw_version: 0,
        blocked: false,
        excluded: false,
        facts: NO_FACTS,
        earned: 0,
        already: 0,
        earned_used: 0,
        drawn_today: 0,
        extras: [],
      },
    ]);
  for (let player = 0; player < 8; player += 1) {
    keep(1, player);
  }
  keep(2, 1);
  memory.playersOf(1);
  keep(3, 1);
  keep(3, 2);
  expect(memory.size()).toBe(10);
  expect(memory.playersOf(2).size).toBe(0);
  expect(memory.playersOf(1).size).toBe(8);
  keep(1, 0);
  keep(1, 9);
  expect(memory.playersOf(3).size).toBe(1);
  memory.forget(1);
  expect(memory.size()).toBe(1);
  memory.forget(7);
  for (let player = 0; player < 9; player += 1) {
    keep(4, player);
  }
  expect([memory.size(), memory.playersOf(3).size]).toEqual([10, 1]);
});

test("the days around an instant begin at midnight in the zone", () => {
  const days = ["08", "09", "10", "11"].map((day) => `2024-05-${day}T16:00:00.000Z`);
  expect(daysAround(ZONE, new Date("2024-05-09T16:00:00Z"))).toEqual(days);
  expect(daysAround(ZONE, new Date("2024-05-10T15:59:59.999Z"))).toEqual(days);
});

test("readers of chances at once share their statements; each answer is what a read of its own says", async () => {
  const rounds_id = await makeRound(t.db);
  const round = await roundOf(rounds_id);
  const ids = Array.from({ length: 30 }, () => fresh("p"));
  const keys = await Promise.all(ids.map((id) => makePlayer(t.db, id)));
  const deposits = ids.map((id, at) => depositOf(id, { amount: `${60 * at + 1}` }));
  await feed(t.db, "deposits", deposits);
  for (const [hours, at] of [0, 0, 3, 5].entries()) {
    await grant(keys[at] ?? 0, (hours - 1) * 3_600, round.tag);
  }
  let statements = 0;
  const reader = chanceReader(watched(t, () => (statements += 1)).db, chanceMemory());
  const read = async () => await Promise.all(ids.map((id) => reader.read(rounds_id, id)));
  const alone = async () => await Promise.all(keys.map((key) => selectChances(round, key)));
  expect(await read()).toEqual(await alone());
  expect(statements).toBe(3);
  await takeBack(t.db, deposits.slice(20));
  await t.db.updateTable("extra_time").set({ used_log_id: 1, used_rounds_id: rounds_id }).execute();
  expect(await read()).toEqual(await alone());
  expect(statements).toBe(6);
  expect(await read()).toEqual(await alone());
  expect(statements).toBe(7);
  const stricter = { condition_value_cents: 24_000, version: 2 };
  await changeRows(t.db, "activity", { id: rounds_id }, stricter);
  const changed = await Promise.all(
    keys.map(async (key) => selectChances(await roundOf(rounds_id), key)),
  );
  expect(await read()).toEqual(changed);
  // Two calls are read together, and the database rejects the text of the second; both must fail.
  const refused = [ids[0] ?? "", "\0"].map((id) => reader.read(rounds_id, id));
  expect((await Promise.allSettled(refused)).map(({ status }) => status)).toEqual([
    "rejected",
    "rejected",
  ]);
  expect(await read()).toEqual(changed);
  expect(await reader.read(rounds_id, "nobody")).toBe("player_not_found");
  expect(await reader.read(rounds_id + 1_000, ids[0] ?? "")).toBe("round_not_found");
  expect(await reader.read(2 ** 40, ids[0] ?? "")).toBe("round_not_found");
});

test("who was read by another call while facts are read has the answer of the own read", async () => {
  const rounds_id = await makeRound(t.db);
  const [known, unknown] = [fresh("p"), fresh("p")];
  await feed(
    t.db,
    "deposits",
    [known, unknown].map((id) => depositOf(id, { amount: "250" })),
  );
  const memory = chanceMemory();
  const reader = chanceReader(t.db, memory);
  const answer = await reader.read(rounds_id, known);
  const held = await hold(t.db, async (tx) => {
    await sql`lock table deposit in access exclusive mode`.execute(tx);
  });
  const both = Promise.all([known, unknown].map((id) => reader.read(rounds_id, id)));
  await untilWaiting(t.db);
  const kept = memory.playersOf(rounds_id).get(known);
  expect(kept).toBeDefined();
  memory.keep(rounds_id, 1, kept ? [{ ...kept.player, version: kept.player.version + 1 }] : []);
  await held.commit();
  expect(await both).toEqual([answer, answer]);
  expect(answer).toMatchObject({ total: 2 });
});
