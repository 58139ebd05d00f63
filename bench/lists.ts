/**
 * `npm run bench -- lists [--runs N] [--rows N] [--short]`: pages with exact totals of bets, deposits and records, by
 * random filters without an account: by SQL, over HTTP, and beside OFFSET and count(*). Every answer is then compared with
 * plain SQL in the same snapshot, while rows, reversals and draws arrive.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { operatorOf } from "../e2e/outside/operator.ts";
import { inFlight } from "../e2e/outside/platform.ts";
import { formatDateTime } from "../packages/contract/src/platform/datetime.ts";
import type { EventKind } from "../packages/contract/src/events/event.ts";
import {
  PLATFORM_CODES,
  STATUS_OF_STATE,
  statesThat,
} from "../packages/contract/src/platform/codes.ts";
import { formatCents } from "../packages/contract/src/platform/money.ts";
import { selectMiscountedRollup } from "../packages/server/src/evidence/verify-rollups-sql.ts";
import { allOf, stateList } from "../packages/server/src/platform/db/sql-parts.ts";
import { inOneView, inTransaction } from "../packages/server/src/platform/db/connection.ts";
import type { Db } from "../packages/server/src/platform/db/connection.ts";
import { inSnapshot } from "../packages/server/src/platform/db/snapshot.ts";
import { columnsOf } from "../packages/server/src/events/event-columns.ts";
import {
  selectEventPage,
  selectEventTotals,
} from "../packages/server/src/events/event-list-sql.ts";
import { foldRollups } from "../packages/server/src/platform/rollups/rollup-sql.ts";
import type { RecordMatch } from "../packages/server/src/records/record-filter.ts";
import {
  countOf,
  selectRecords,
  selectStateSums,
} from "../packages/server/src/records/record-sql.ts";
import { runBench } from "./database.ts";
import type { BenchDatabase } from "./database.ts";
import {
  addSome,
  BETS,
  COUNT,
  makeLists,
  ROUND_MS,
  ROUNDS,
  startOf,
  someTime,
} from "./lists-scene.ts";
import { signIn } from "./mixed-operators.ts";
import { conclude, inPairs, IS_SHORT, quantile, ratio, RUNS, say } from "./report.ts";
import { build, startServer, stop } from "./sides.ts";

const CASES = IS_SHORT ? 45 : 1_500;
const CALLS = IS_SHORT ? 120 : 6_000;
const CLIENTS = 8;
const COMPARISONS = IS_SHORT ? 45 : 200;
const SIZE = 20;
const TIME_ZONE = "Asia/Shanghai";

const below = (most: number) => Math.floor(Math.random() * most);
const maybe = <T>(share: number, value: () => T) => (Math.random() < share ? value() : undefined);

/** The ids of a page, and the totals as one text. */
interface Found {
  readonly ids: readonly number[];
  readonly totals: string;
}

interface Search {
  /** The list and the names of its filters. */
  readonly what: string;
  readonly count: (db: Db) => Promise<number>;
  readonly product: (db: Db, page: number) => Promise<Found>;
  readonly plain: (db: Db, page: number) => Promise<Found>;
  readonly method: "GET" | "POST";
  readonly path: string;
  /** The filter as the console sends it. */
  readonly query: Readonly<Record<string, string | number | undefined>>;
}

type Case = Search & { readonly page: number };

const namesOf = (query: Search["query"]) =>
  Object.keys(query).filter((name) => query[name] !== undefined);

/** A range to the millisecond, from seconds to all of the time. */
function someTimes() {
  const start = someTime();
  const end = new Date(start.getTime() + ROUND_MS * ROUNDS * 10 ** (-5 * Math.random()));
  const [start_time, end_time] = [start, end].map((at) => formatDateTime(at, TIME_ZONE));
  return { start, end, sent: { start_time, end_time } };
}

const isBetween = (start: Date | null, end: Date | null) =>
  allOf(
    start !== null && sql`e.created_at >= ${start}::timestamptz`,
    end !== null && sql`e.created_at < ${end}::timestamptz`,
  );

/** A page without rollups: finds its rows first, so that no other row is joined. */
const pageBy = (from: RawBuilder<unknown>, page: number) => sql<{ id: number }>`
  select p.user_name, e.* from (
    select e.* from ${from} order by e.id desc limit ${SIZE} offset ${(page - 1) * SIZE}
  ) e join player p on p.player_key = e.player_key order by e.id desc`;

function searchEvents(kind: EventKind, isFiltered = true): Search {
  const share = isFiltered ? 0.4 : 0;
  const round = maybe(share / 2, () => 1 + below(ROUNDS));
  const times = round === undefined ? maybe(share * 1.5, someTimes) : undefined;
  const window = round === undefined ? null : startOf(round);
  const start = window ?? times?.start ?? null;
  const end =
    window === null ? (times?.end ?? null) : new Date(window.getTime() + ROUND_MS + 1_000);
  const codes: Partial<Record<"platform" | "channel" | "client", number | undefined>> =
    kind === "bet"
      ? { platform: maybe(share, () => PLATFORM_CODES[below(PLATFORM_CODES.length)] ?? 0) }
      : { channel: maybe(share, () => 1 + below(9)), client: maybe(share, () => 1 + below(3)) };
  const filter = { player_key: null, start, end, codes };
  const where = allOf(
    isBetween(start, end),
    ...Object.entries(codes).map(
      ([code, value]) => value !== undefined && sql`e.${sql.ref(code)} = ${value}::smallint`,
    ),
  );
  const from = sql`${sql.table(kind)} e where ${where}`;
  const { cents, cancelled_at } = columnsOf(kind);
  const { platform, ...others } = codes;
  const query = { rounds_id: round, ...times?.sent, ...others, type: platform };
  return {
    what: [kind, ...namesOf(query)].join(" "),
    count: async (db) => (await selectEventTotals(db, kind, filter)).total,
    async product(db, page) {
      const [rows, { total, amount_cents }] = await Promise.all([
        selectEventPage(db, kind, filter, { page, size: SIZE }),
        selectEventTotals(db, kind, filter),
      ]);
      return { ids: rows.map(({ id }) => id), totals: `${total} ${amount_cents}` };
    },
    async plain(db, page) {
      const { rows } = await pageBy(from, page).execute(db);
      const totals = await sql<{ n: number; cents: bigint }>`select count(*) as n,
        coalesce(sum(${cents}) filter (where ${cancelled_at} is null), 0) as cents from ${from}`.execute(
        db,
      );
      const [{ n, cents: sum } = { n: -1, cents: 0n }] = totals.rows;
      return { ids: rows.map(({ id }) => id), totals: `${n} ${sum}` };
    },
    method: "POST",
    path: `/gred/api/userInfo/${kind === "bet" ? "betlog" : "deposit"}`,
    query,
  };
}

/** `platform`: only players with a bet on it. */
function searchRecords(platform?: number): Search {
  const share = platform === undefined ? 0.35 : 0;
  const round = platform === undefined ? maybe(share, () => 1 + below(ROUNDS)) : 1;
  const times = maybe(share, someTimes);
  const part = maybe(share, () => ["1", "红包", " 号大", "10 号"][below(4)] ?? "");
  const price = maybe(share, () => below(9) * 88);
  const status = maybe(share, () => ([0, 1, 2] as const)[below(3)]);
  const start = times?.start ?? null;
  const end = times?.end ?? null;
  const span =
    round === undefined
      ? null
      : { start: startOf(round), end: new Date(startOf(round).getTime() + ROUND_MS) };
  const match: RecordMatch = {
    rounds_ids: round === undefined ? null : [round],
    user_name: undefined,
    award_name: part,
    award_price: price,
    states:
      status === undefined ? null : statesThat((_, state) => STATUS_OF_STATE[state] === status),
    platform,
    span,
    start,
    end,
  };
  const where = allOf(
    // An end includes its second.
    isBetween(start, end && new Date(end.getTime() + 1_000)),
    round !== undefined && sql`e.rounds_id = ${round}::int`,
    part !== undefined && sql`e.award_name like ${`%${part}%`}`,
    price !== undefined && sql`e.award_price_cents = ${price}::bigint`,
    status !== undefined &&
      sql`p.state in (${stateList((_, state) => STATUS_OF_STATE[state] === status)})`,
  );
  const from = sql`draw_record e join payout p on p.log_id = e.id where ${where}`;
  const award_price = price === undefined ? undefined : formatCents(price);
  const query = {
    rounds_id: round,
    ...times?.sent,
    award_name: part,
    award_price,
    award_status: status,
  };
  const sums = async (db: Db) => await selectStateSums(db, match);
  return {
    what: ["record", ...namesOf(query)].join(" "),
    count: async (db) => countOf(await sums(db)),
    async product(db, page) {
      const [rows, all] = await Promise.all([
        selectRecords(db, match, { page, size: SIZE }),
        sums(db),
      ]);
      const totals = all.map((sum) => `${sum.state} ${sum.count} ${sum.amount_cents}`);
      return { ids: rows.map(({ log_id }) => log_id), totals: totals.toSorted().join() };
    },
    async plain(db, page) {
      const { rows } = await pageBy(from, page).execute(db);
      const all = await sql<{ text: string }>`
        select concat_ws(' ', p.state, count(*), sum(e.award_price_cents)) as text
        from ${from} group by p.state order by p.state`.execute(db);
      return { ids: rows.map(({ id }) => id), totals: all.rows.map(({ text }) => text).join() };
    },
    method: "GET",
    path: "/gred/api/record/list",
    query,
  };
}

/** Random searches, a random page of each; their count also warms up. */
async function someCases(db: Db, count: number, search: (at: number) => Search): Promise<Case[]> {
  const cases: Case[] = [];
  for (let at = 0; at < count; at += 1) {
    const one = search(at);
    cases.push({ ...one, page: 1 + below(Math.ceil((await one.count(db)) / SIZE)) });
  }
  return cases;
}

const anySearch = (at: number) =>
  at % 3 === 0 ? searchRecords() : searchEvents(at % 3 === 1 ? "bet" : "deposit");

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** One case at a time; the times by what was searched. */
async function timeBySql(db: Db, cases: readonly Case[]) {
  const times = new Map<string, number[]>();
  for (const { what, product, page } of cases) {
    const ms = await timeOf(() => product(db, page));
    times.set(what, [...(times.get(what) ?? []), ms]);
  }
  const p95 = (is: (what: string) => boolean) =>
    quantile(
      [...times].flatMap(([what, ms]) => (is(what) ? ms : [])),
      0.95,
    );
  const byFilter = [...times.keys()].map((what) => ({ what, ms: p95((other) => other === what) }));
  const [slowest] = byFilter.toSorted((one, other) => other.ms - one.ms);
  return { p95, slowest: `${slowest?.what}: ${slowest?.ms.toFixed(1)} ms` };
}

/** The list calls of the console by a signed-in operator, eight at a time; 99 of 100 answers come sooner, in ms. */
async function timeByHttp(
  bench: BenchDatabase,
  dataDir: string,
  cases: readonly Case[],
): Promise<number> {
  const [token = ""] = await signIn(bench.db);
  // Only answers: sealing ten million new records would go on beside.
  await build("server");
  const { server, port } = await startServer(bench.url, dataDir, { ROLE: "web" });
  const operator = operatorOf(`http://127.0.0.1:${port}`, token);
  const times: number[] = [];
  const rounds = Array.from({ length: Math.ceil(CALLS / cases.length) }, () => cases);
  const call = async ({ method, path: to, query, page }: Case) => {
    // Leaves out what is undefined.
    const body: Record<string, string> = JSON.parse(JSON.stringify({ ...query, page, size: SIZE }));
    const words = new URLSearchParams(body);
    const ask = () =>
      method === "GET"
        ? operator.data(method, `${to}?${words.toString()}`, null)
        : operator.data(method, to, body);
    times.push(await timeOf(ask));
  };
  try {
    await inFlight(rounds.flat().slice(0, CALLS), CLIENTS, call);
  } finally {
    await stop(server);
  }
  // The first calls warm up.
  return quantile(times.slice(CALLS / 10), 0.99);
}

/** Repeats the work until the answered function is called. */
function repeat(work: (turn: number) => Promise<unknown>): () => Promise<void> {
  let isOver = false;
  const run = async () => {
    for (let turn = 0; !isOver; turn += 1) {
      await work(turn);
      await sleep(5);
    }
  };
  const running = run();
  // The stop below throws the fault.
  running.catch(() => {});
  return async () => {
    isOver = true;
    await running;
  };
}

/** Answers that differ from plain SQL in the same snapshot, while everything is written and folded. */
async function countMismatches(bench: BenchDatabase, cases: readonly Case[]): Promise<number> {
  const writer = bench.open("bench writer", 2);
  const stops = [
    repeat((turn) => addSome(writer, turn)),
    repeat(() => inTransaction(writer, foldRollups)),
  ];
  let mismatches = 0;
  for (const { what, product, plain, page } of cases) {
    const [ours, theirs] = await inOneView(bench.db, async (view) => [
      JSON.stringify(await product(view, page)),
      JSON.stringify(await plain(view, page)),
    ]);
    if (ours !== theirs) {
      mismatches += 1;
      say(`differs, page ${page} of ${what}: ${ours}, plain ${theirs}`);
    }
  }
  await Promise.all(stops.map((end) => end()));
  const miscounted = await inSnapshot(bench.db, selectMiscountedRollup);
  if (miscounted !== null) {
    throw new Error(`a rollup is wrong: ${JSON.stringify(miscounted)}`);
  }
  return mismatches;
}

async function main(bench: BenchDatabase, dataDir: string): Promise<number> {
  const filled = await timeOf(() => makeLists(bench.db));
  say(`${BETS} bets, ${COUNT} deposits and records, filled in ${(filled / 1_000).toFixed(0)} s`);
  const cases = await someCases(bench.db, CASES, anySearch);
  const [warm, timed] = [cases.slice(0, CASES / 5), cases.slice(CASES / 5)];
  await timeBySql(bench.db, warm);
  const { p95, slowest } = await timeBySql(bench.db, timed);
  const http_p99_ms = await timeByHttp(bench, dataDir, cases);
  const whole = await someCases(bench.db, RUNS, (run) =>
    searchEvents(run % 2 === 0 ? "bet" : "deposit", false),
  );
  const inRun = (how: "product" | "plain") => (run: number) =>
    timeOf(async () => await whole[run]?.[how](bench.db, whole[run].page));
  const pairs = await inPairs(RUNS, { product: inRun("product"), offset: inRun("plain") });
  const slow = searchRecords(PLATFORM_CODES[0]);
  const records_platform_ms = await timeOf(() => slow.product(bench.db, 1));
  const mismatches = await countMismatches(bench, cases.slice(0, COMPARISONS));
  if (IS_SHORT && mismatches > 0) {
    throw new Error(`${mismatches} answers differ from plain SQL`);
  }
  return conclude(
    {
      rows: COUNT,
      bets: BETS,
      vs_offset: ratio(pairs, "offset", "product"),
      sql_p95_ms: p95(() => true),
      bet_p95_ms: p95((what) => what.startsWith("bet")),
      deposit_p95_ms: p95((what) => what.startsWith("deposit")),
      record_p95_ms: p95((what) => what.startsWith("record")),
      slowest,
      http_p99_ms,
      records_platform_ms,
      mismatches,
    },
    {
      vs_offset: { at_least: 100 },
      sql_p95_ms: { at_most: 10 },
      http_p99_ms: { at_most: 50 },
      mismatches: { at_most: 0 },
    },
  );
}

await runBench(main);
