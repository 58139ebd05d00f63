import { selectWrongChunk } from "#evidence/verify-chunks-sql";
import { inTransaction } from "#platform/db/connection";
import { startChunker } from "./event-chunk-job.ts";
import { makeEventChunk, selectEventSums } from "./event-chunk-sql.ts";
import type { RowSums } from "./event-chunk-sql.ts";
import { factsOfSums, selectEventFacts } from "./event-facts-sql.ts";
import { selectEventTotals } from "./event-list-sql.ts";
import { ingestEvents } from "./ingest-events.ts";
import {
  betOf,
  depositOf,
  feed,
  fresh,
  makePlayer,
  PLATFORM,
  takeBack,
} from "#test/ingest-factory";
import { hold, meet, untilWaiting } from "#test/races";
import { rowsOf } from "#test/rows";
import { useTestDb } from "#test/test-db";
import fc from "fast-check";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";

const t = useTestDb();

const START = Date.UTC(2024, 4, 31, 15, 59, 59);
const SPAN_MS = 2_000;
const NO_SUMS = { live: 0, live_cents: 0n, max_cents: 0, fulls: 0n, gone: 0, gone_cents: 0n };
const at = (ms: number) => new Date(START + ms);

async function countChunks(player_key: number): Promise<number> {
  return (await rowsOf(t.db, "event_chunk", { player_key })).length;
}

const PLATFORMS = [[], [2234, 7234]] as const;

async function makeChunks(
  player_key: number,
  value_cents: number,
  chunkRows: number,
  platforms: readonly number[] = [],
  limit = 1e9,
) {
  const owner = { kind: "bet", player_key, value_cents, platforms } as const;
  for (let made = 0; made < limit; made += 1) {
    if (!(await inTransaction(t.db, (tx) => makeEventChunk(tx, owner, chunkRows)))) {
      return;
    }
  }
}

async function plainSums(
  player_key: number,
  value_cents: number,
  platforms: readonly number[],
  [from, to]: readonly [Date, Date],
) {
  const rows = await t.sql<RowSums>`
    select count(*) filter (where voided_at is null) as live, count(voided_at) as gone,
      coalesce(sum(valid_bet_cents) filter (where voided_at is null), 0) as live_cents,
      coalesce(sum(valid_bet_cents) filter (where voided_at is not null), 0) as gone_cents,
      coalesce(max(valid_bet_cents) filter (where voided_at is null), 0) as max_cents,
      coalesce(sum(valid_bet_cents / ${value_cents}) filter (where voided_at is null), 0) as fulls
    from bet where player_key = ${player_key} and created_at >= ${from} and created_at < ${to}
      and (platform = any(${platforms}::int[]) or cardinality(${platforms}::int[]) = 0)`;
  return rows[0];
}

/** Returns bets of `player` at these milliseconds with these cents. The platform alternates between three. */
const betsOf = (player: string, rows: readonly (readonly [ms: number, cents: number])[]) =>
  rows.map(([ms, cents]) =>
    betOf(player, {
      created_at: at(ms).toISOString(),
      valid_bet_amount: (cents / 100).toFixed(2),
      platform: [1234, 2234, 3234][ms % 3],
    }),
  );

async function compare(player_key: number, from: Date, to: Date): Promise<void> {
  for (const value of [1, 700]) {
    for (const on of PLATFORMS) {
      const [sums] = await selectEventSums(t.db, "bet", value, { from, to }, [player_key], on);
      expect(sums).toMatchObject((await plainSums(player_key, value, on, [from, to])) ?? {});
      const window = { start: from, end: new Date(to.getTime() - 1_000), value_cents: value };
      const asked = { ...window, limit: 1e15, platforms: on };
      const facts = await selectEventFacts(t.db, "bet", asked, [player_key]);
      expect(facts.get(player_key)).toEqual(factsOfSums(sums ?? NO_SUMS, 1e15));
    }
  }
  const filter = { player_key, start: from, end: to };
  const { live = 0, gone = 0, live_cents } = (await plainSums(player_key, 1, [], [from, to])) ?? {};
  expect(await selectEventTotals(t.db, "bet", { ...filter, codes: {} })).toEqual({
    total: live + gone,
    amount_cents: live_cents,
  });
}

const ms = fc.integer({ min: 0, max: SPAN_MS });
const step = fc.oneof(
  fc.array(fc.tuple(ms, fc.constantFrom(1, 699, 700, 5_000, 99_999)), {
    minLength: 1,
    maxLength: 30,
  }),
  fc.constantFrom("void", "make", "make all", "drop", "delete") as fc.Arbitrary<string>,
);

test("sums and totals by chunks are those of the rows, whatever is written and dropped in between", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 8, maxLength: 16 }),
      ms,
      ms,
      async (steps, a, b) => {
        const player = fresh("p");
        const player_key = await makePlayer(t.db, player);
        const first = Array.from({ length: 2_400 }, (_, n) => [(n * 7) % SPAN_MS, 700] as const);
        const bets = betsOf(player, first);
        await feed(t.db, "bets", bets);
        // Steps that delete or outdate all chunks are rare, but occur.
        for (const [turn, one] of ["make all", ...steps, "make all"].entries()) {
          if (typeof one === "object") {
            const late = betsOf(player, one);
            await feed(t.db, "bets", late);
            bets.push(...late);
          } else if (one === "void") {
            await takeBack(t.db, bets.splice((turn * 311) % bets.length, 40));
          } else if (one.startsWith("make")) {
            for (const on of PLATFORMS) {
              await makeChunks(player_key, 700, 197, on, one === "make" ? 2 : 1e9);
              await makeChunks(player_key, 1, 301, on, one === "make" ? 3 : 1e9);
            }
          } else if (one === "drop") {
            await t.sql`delete from event_chunk where player_key = ${player_key}
            and hashint8(live_cents + ${turn}) % 3 = 0`;
          } else {
            await t.sql`delete from bet where player_key = ${player_key}
            and hashint8(id + ${turn}) % 60 = 0`;
          }
          await compare(player_key, at(Math.min(a, b)), at(Math.max(a, b) + turn * 100));
        }
        expect(await countChunks(player_key)).toBeGreaterThan(0);
        expect(await selectWrongChunk(t.db)).toBeNull();
      },
    ),
    { numRuns: 2 },
  );
}, 120_000);

test.each([
  ["a chunk waits for a late row that is not committed, and counts it", false],
  ["a late row waits for a chunk that is not committed, and is added to it", true],
])("%s", async (_claim, isChunkFirst) => {
  const player = fresh("p");
  const player_key = await makePlayer(t.db, player);
  await feed(
    t.db,
    "bets",
    betsOf(player, [
      [0, 100],
      [500, 100],
      [900, 100],
    ]),
  );
  const owner = { kind: "bet", player_key, value_cents: 1, platforms: [] } as const;
  const make = (tx: Parameters<typeof makeEventChunk>[0]) => makeEventChunk(tx, owner, 2);
  const late = betsOf(player, [[200, 5_000]]);
  const write = (tx: Parameters<typeof ingestEvents>[0]) =>
    ingestEvents(tx, PLATFORM, "bet", late, "en");
  await (isChunkFirst ? meet(t.db, make, write) : meet(t.db, write, make));
  expect(await countChunks(player_key)).toBe(1);
  expect(await selectWrongChunk(t.db)).toBeNull();
});

test("many rows that a reader had to read are summed by the job, and again when a chunk that grew too large was dropped", async () => {
  const player = fresh("p");
  const player_key = await makePlayer(t.db, player);
  await feed(t.db, "deposits", [depositOf(player, { created_at: at(0).toISOString() })]);
  await t.sql`insert into deposit (id, order_no, player_key, amount_cents, channel, client, created_at)
    select n, 'many' || n, ${player_key}, 100 + n % 7, 1, 1, ${at(0)}::timestamptz + n * interval '1 ms'
    from generate_series(1, 14000) n`;
  const log = { info: vi.fn<() => void>(), warn: vi.fn<() => void>() };
  const chunker = startChunker({ db: t.db, connection: t.connection, log });
  onTestFinished(() => chunker.stop());
  await chunker.started;
  await t.sql`select pg_notify('event_chunk', 'nobody')`;
  await vi.waitFor(() => expect(log.warn).toHaveBeenCalledOnce(), 10_000);
  const window = { start: at(-9), end: at(60_000), value_cents: 101, limit: 1e15, platforms: [] };
  const before = await selectEventFacts(t.db, "deposit", window, [player_key]);
  await vi.waitFor(() => expect(log.info).toHaveBeenCalledOnce(), 10_000);
  expect(log.info.mock.calls).toMatchObject([[{ player_key, made: 14 }, expect.anything()]]);
  expect(await countChunks(player_key)).toBe(14);
  expect(await selectEventFacts(t.db, "deposit", window, [player_key])).toEqual(before);
  await t.sql`insert into deposit (id, order_no, player_key, amount_cents, channel, client, created_at)
    select n + 20000, 'late' || n, ${player_key}, 100, 1, 1, ${at(3_000)} from generate_series(1, 2500) n`;
  expect(await countChunks(player_key)).toBe(13);
  await selectEventFacts(t.db, "deposit", window, [player_key]);
  await vi.waitFor(async () => expect(await countChunks(player_key)).toBe(15), 10_000);
  expect(await selectWrongChunk(t.db)).toBeNull();
  // A stopped job finishes the chunk in progress and creates no other.
  await t.sql`delete from event_chunk where player_key = ${player_key}`;
  const held = await hold(t.db, (tx) =>
    sql`select from player where player_key = ${player_key} for update`.execute(tx),
  );
  await selectEventFacts(t.db, "deposit", window, [player_key]);
  await untilWaiting(t.db);
  const stopping = chunker.stop();
  await held.commit();
  await stopping;
  expect(await countChunks(player_key)).toBe(1);
});

test("a row that met taken ids is added to its chunk once, where the writer counts, not triggers", async () => {
  const [player, other] = [fresh("p"), fresh("p")];
  const player_key = await makePlayer(t.db, player);
  const betsAt = (who: string, ...times: number[]) =>
    times.flatMap((time) => betsOf(who, [[time, 5_000]]));
  await feed(t.db, "bets", betsAt(player, 0, 500, 900));
  await makeChunks(player_key, 1, 2);
  // Takes the slots that the late row tries first: with all rows of its call, then alone.
  const restart = async () => await t.sql`select setval('event_slot', 7, false)`;
  await restart();
  await feed(t.db, "bets", betsAt(other, 200, 200));
  await restart();
  // Imitates a cluster (distribute-sql.ts). Modules remember whether they run on a cluster, so they
  // are loaded again before and after the test.
  await t.sql`alter table bet disable trigger user`;
  await t.sql`alter trigger rollup_insert on bet rename to not_here`;
  vi.resetModules();
  onTestFinished(async () => {
    vi.resetModules();
    await t.sql`alter trigger not_here on bet rename to rollup_insert`;
    await t.sql`alter table bet enable trigger user`;
  });
  const spread = await import("#test/ingest-factory");
  const late = betsAt(player, 200);
  expect(await spread.feed(t.db, "bets", late)).toMatchObject({ accepted: 1 });
  expect(await selectWrongChunk(t.db)).toBeNull();
});
