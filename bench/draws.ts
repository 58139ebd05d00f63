/**
 * `npm run bench -- draws [--runs N] [--short]`: draws of the product beside other ways to draw, on one database, while
 * deposits go on arriving at a fifth of the draw rate for all of them. Checks the books after every run.
 */
import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { drawQueue } from "../packages/server/src/draws/draw-queue.ts";
import type { Db } from "../packages/server/src/platform/db/connection.ts";
import { runBench } from "./database.ts";
import type { BenchDatabase } from "./database.ts";
import { limit, naive, tickets } from "./draws-opponents.ts";
import type { Contender } from "./draws-opponents.ts";
import { comparePauses, compareProcesses } from "./draws-processes.ts";
import { hasRedis, redis } from "./draws-redis.ts";
import { clearDraws, depositOnce, DRAW_CENTS, makeScene, somePlayer } from "./draws-scene.ts";
import type { Scene } from "./draws-scene.ts";
import {
  chart,
  conclude,
  cpuOf,
  inPairs,
  IS_SHORT,
  median,
  quantile,
  ratio,
  RUNS,
  say,
  statOf,
} from "./report.ts";

const WARM_MS = IS_SHORT ? 100 : 2_000;
const RUN_MS = IS_SHORT ? 300 : 4_000;
const PEAK = 1_024;
/** The usual load, in calls at a time. */
const USUAL = 64;

interface Result {
  readonly per_s: number;
  readonly p99_ms: number;
  /** CPU of this process and PostgreSQL per draw. */
  readonly cpu_us: number;
}

function product(bench: BenchDatabase): Contender {
  const db = bench.open("bench draws", 4, true);
  const queue = drawQueue(db);
  return {
    async draw(player) {
      const request = { request_id: randomUUID(), rounds_id: 1, player_id: `p${player}` };
      const result = await queue.draw("rk_bench", request);
      if ("refused" in result) {
        throw new Error(`a draw was refused: ${result.refused}`);
      }
    },
    close: () => db.destroy(),
  };
}

/** CPU seconds of this process and of the children of `postmaster`. */
function cpuSeconds(postmaster: string): number {
  const { user, system } = process.cpuUsage();
  const seconds = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter(([, parent]) => parent === postmaster)
    .reduce((sum, fields) => sum + cpuOf(fields), 0);
  return (user + system) / 1e6 + seconds;
}

/** The process id of PostgreSQL, whose children serve connections. */
async function postmasterOf(db: Db): Promise<string> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return statOf(String(rows[0]?.pid))[1] ?? "";
}

/** `inFlight` players draw, one draw after the other each; `perSecond` holds them to a rate. */
async function measure(
  contender: Contender,
  scene: Scene,
  ingest: Db,
  inFlight: number,
  perSecond = Number.POSITIVE_INFINITY,
): Promise<Result> {
  const times: number[] = [];
  let drawn = 0;
  let deposits = 0;
  let isOver = false;
  let counted = -1;
  const begun = performance.now();
  let slots = 0;
  const draw = async () => {
    while (!isOver) {
      const due = begun + (slots++ * 1_000) / perSecond;
      if (due > performance.now()) {
        await sleep(due - performance.now());
      }
      const asked = performance.now();
      await contender.draw(somePlayer(scene));
      drawn += 1;
      if (counted >= 0) {
        times.push(performance.now() - asked);
      }
    }
  };
  const deposit = async () => {
    while (!isOver) {
      if (deposits * 5 <= drawn) {
        deposits += await depositOnce(ingest, scene);
      } else {
        await sleep(2);
      }
    }
  };
  const postmaster = await postmasterOf(ingest);
  const all = Promise.all([...Array.from({ length: inFlight }, draw), deposit()]);
  await Promise.race([all, sleep(WARM_MS)]);
  counted = drawn;
  const [cpu, from] = [cpuSeconds(postmaster), performance.now()];
  await Promise.race([all, sleep(RUN_MS)]);
  isOver = true;
  await all;
  const used = cpuSeconds(postmaster) - cpu;
  await contender.close();
  const seconds = (performance.now() - from) / 1_000;
  const count = drawn - counted;
  return {
    per_s: count / seconds,
    p99_ms: quantile(times, 0.99),
    cpu_us: (used * 1e6) / count,
  };
}

/** Throws when the books of a run contradict one another; `isDrawn`: checks stock and chances too. */
async function checkBooks(db: Db, isDrawn: boolean): Promise<void> {
  const { rows } = await sql<Record<string, number | boolean>>`
    select (select count(*) from draw_record) as records, (select count(*) from draw_request) as requests,
      (select count(*) from payout) as payouts,
      (select count(*) from draw_record r join draw_request q on q.log_id = r.id join payout p on p.log_id = r.id
         and p.amount_cents = r.award_price_cents) as whole,
      (select count(*) from draw_record where extra_time_id is not null) as extras,
      (select count(*) from extra_time e join draw_record r on r.extra_time_id = e.id and r.id = e.used_log_id) as used,
      (select count(*) from (select 1 from draw_record group by player_key, rounds_id
         having max(draw_no) <> count(*)) x) as gaps,
      (select count(*) from (
         select r.player_key, count(*) filter (where r.extra_time_id is null) as n from draw_record r group by 1) d
       where d.n > (select sum(amount_cents) / ${DRAW_CENTS}::int from deposit where player_key = d.player_key)) as beyond,
      (select count(*) from prize z where z.drawn <> (select count(*) from draw_record r where r.prize_id = z.id)) as stock`.execute(
    db,
  );
  const { records, requests, payouts, whole, extras, used, gaps, beyond, stock } = rows[0] ?? {};
  const isWhole = new Set([records, requests, payouts, whole]).size === 1 && Number(records) > 0;
  if (!isWhole || extras !== used || gaps !== 0 || (isDrawn && (beyond !== 0 || stock !== 0))) {
    throw new Error(`the books contradict one another: ${JSON.stringify(rows[0])}`);
  }
}

/** One run of a contender, from a clean start to its checked books. */
function runs(bench: BenchDatabase, scene: Scene, ingest: Db) {
  return (
    open: () => Contender | Promise<Contender>,
    inFlight: number,
    isDrawn = true,
    perSecond?: number,
  ) =>
    async (): Promise<Result> => {
      await clearDraws(bench.db);
      const result = await measure(await open(), scene, ingest, inFlight, perSecond);
      await checkBooks(bench.db, isDrawn);
      return result;
    };
}

/** Compares a round whose limits never bind with the same round without limits: the cost of checking them. */
async function compareLimits(
  db: Db,
  product_run: () => Promise<Result>,
): Promise<{ readonly limits_on: number }> {
  const limited = (most: number | null) => async () => {
    await sql`update activity set draws_max = ${most}, day_draws_max = ${most}`.execute(db);
    return await product_run();
  };
  const sides = { on: limited(1_000_000), off: limited(null) };
  const pairs = await inPairs(IS_SHORT ? 1 : Math.max(15, RUNS), sides);
  await sql`update activity set draws_max = null, day_draws_max = null`.execute(db);
  return { limits_on: ratio(pairs, "on", "off", ({ per_s }) => per_s) };
}

async function bestOf(
  counts: readonly number[],
  run: (clients: number) => Promise<Result>,
): Promise<number> {
  const rates: { clients: number; per_s: number }[] = [];
  for (const clients of counts) {
    rates.push({ clients, per_s: (await run(clients)).per_s });
  }
  return rates.toSorted((one, other) => other.per_s - one.per_s)[0]?.clients ?? USUAL;
}

type Name = "product" | "limit" | "product_64" | "naive_64" | "naive_peak" | "tickets" | "redis";
type Pair = Readonly<Record<Name, Result>>;

function sayAll(pairs: readonly Pair[], names: readonly Name[]): void {
  for (const name of names) {
    const of = (figure: keyof Result) => median(pairs.map((pair) => pair[name][figure]));
    const [rate, p99, cpu] = [of("per_s").toFixed(0), of("p99_ms").toFixed(1), of("cpu_us")];
    say(`${name.padEnd(11)} ${rate.padStart(8)}/s  p99 ${p99} ms  ${cpu.toFixed(0)} µs`);
  }
  const bars = names.map((name) => ({
    name,
    value: median(pairs.map((pair) => pair[name].per_s)),
  }));
  chart("draws", "Draws per second, each durable but those of Redis, in the same run", bars);
}

function figuresOf(pairs: readonly Pair[], bare: readonly Result[], withRedis: boolean) {
  const versus = (one: Name, other: Name) => ratio(pairs, one, other, ({ per_s }) => per_s);
  return {
    vs_limit: versus("product", "limit"),
    vs_tickets: versus("product", "tickets"),
    vs_naive_peak: versus("product", "naive_peak"),
    vs_naive_64: versus("product_64", "naive_64"),
    vs_redis: withRedis ? versus("product", "redis") : null,
    p99_ms_64: median(pairs.map((pair) => pair.product_64.p99_ms)),
    p99_vs_bare: median(pairs.map((pair, at) => pair.product_64.p99_ms / (bare[at]?.p99_ms ?? 0))),
    per_s: median(pairs.map((pair) => pair.product.per_s)),
    cpu_us: median(pairs.map((pair) => pair.product.cpu_us)),
  };
}

const LIMITS = {
  vs_limit: { at_least: 0.6 },
  vs_tickets: { at_least: 6 },
  vs_naive_64: { at_least: 30 },
  vs_naive_peak: { at_least: 50 },
  vs_redis: { at_least: 1.5 },
  p99_vs_bare: { at_most: 4 },
  two_vs_one: { at_least: 0.95 },
  four_vs_one: { at_least: 0.85 },
  limits_on: { at_least: 0.95 },
  pause_p99_ms: { at_most: 300 },
  after_pause: { at_most: 0 },
};

async function main(bench: BenchDatabase): Promise<number> {
  const scene = await makeScene(bench.db, { players: IS_SHORT ? 5_000 : 20_000 });
  const { connection } = bench;
  const ingest = bench.open("bench ingest", 2);
  const run = runs(bench, scene, ingest);
  // A server runs for weeks: compile its code before the first pair.
  for (let warm = 0; warm < (IS_SHORT ? 0 : 3); warm += 1) {
    await run(() => product(bench), PEAK)();
  }
  const best = await bestOf(IS_SHORT ? [] : [16, 32, 64, 88], (clients) =>
    run(() => naive(connection, clients), clients)(),
  );
  const withRedis = hasRedis();
  const contenders = {
    product: run(() => product(bench), PEAK),
    limit: run(() => limit(connection, scene), PEAK, false),
    product_64: run(() => product(bench), USUAL),
    naive_64: run(() => naive(connection, USUAL), USUAL),
    naive_peak: run(() => naive(connection, best), best),
    tickets: run(() => tickets(connection, scene, IS_SHORT ? 20_000 : 100_000), USUAL, false),
    ...(withRedis ? { redis: run(() => redis(connection, scene), PEAK, false) } : {}),
  };
  const names = Object.keys(contenders) as Name[];
  const pairs = await inPairs<Name, Result>(
    RUNS,
    contenders as Record<Name, () => Promise<Result>>,
  );
  const bare: Result[] = [];
  for (const pair of pairs) {
    bare.push(await run(() => limit(connection, scene), USUAL, false, pair.product_64.per_s)());
  }
  sayAll(pairs, names);
  const limits = await compareLimits(bench.db, contenders.product);
  const check = async (db: Db) => await checkBooks(db, true);
  const processes = IS_SHORT ? {} : await compareProcesses(bench, scene, ingest, check);
  const pauses = await comparePauses(bench, scene, ingest, check);
  return conclude(
    { ...figuresOf(pairs, bare, withRedis), ...limits, ...processes, ...pauses },
    LIMITS,
  );
}

await runBench(main);
