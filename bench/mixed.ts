/**
 * `npm run bench -- mixed [--rows N] [--short]`: draws at a quarter of their peak and twenty operators who turn a page
 * every five seconds, each alone on a server with nothing else to do (`ROLE=web`), then for ten minutes
 * together on a server with all roles: an export of a million records, deposits at a fifth of the draws, payouts to a
 * wallet that answers at once, sealing, folding; `/readyz` is asked every 200 ms. Calls are timed from when they were due.
 * Clients, wallet, server and database share the cores. Checks afterwards that each answered draw is in the books and paid.
 *
 * `sealer_share`: CPU seconds of sealing per second of the mixed run. The server's blocks of that run are sealed once more
 * after it, the same records block by block, with its looks back for late commits: CPU time of this process and of its
 * database backend, at rest. Counts all of sealing but the anchors and the passes that found nothing.
 */
import path from "node:path";
import { sql } from "kysely";
import { inTransaction } from "../packages/server/src/platform/db/connection.ts";
import type { Db } from "../packages/server/src/platform/db/connection.ts";
import { foldRollups } from "../packages/server/src/platform/rollups/rollup-sql.ts";
import type { Load } from "./draws-http-client.ts";
import { checkAnswered, makeScene } from "./draws-scene.ts";
import { exportRound, signIn, steadily, turnPages } from "./mixed-operators.ts";
import {
  countPayoutsLeft,
  sealAgain,
  selectSealing,
  untilDrained,
  watchSealing,
} from "./mixed-upkeep.ts";
import { makePastRound } from "./past-round.ts";
import { chart, conclude, IS_SHORT, quantile, ROWS, say } from "./report.ts";
import { runOnStage, source, stop } from "./sides.ts";
import type { Stage } from "./sides.ts";

/** Records of an earlier round, all exported; and bets. */
const COUNT = ROWS ?? (IS_SHORT ? 3_000 : 1_000_000);
const PLAYERS = IS_SHORT ? 5_000 : 50_000;
const PEAK_MS = IS_SHORT ? 300 : 5_000;
const ALONE_MS = IS_SHORT ? 500 : 60_000;
const MIXED_MS = IS_SHORT ? 5_000 : 600_000;
/** A new server compiles its code first, for seconds in which calls queue: a server runs for weeks. */
const WARM_SERVER_MS = IS_SHORT ? 300 : 15_000;
const WARM_MS = IS_SHORT ? 100 : 1_000;
/** More than can be drawn; signed before the peak is measured. */
const PEAK_MOST = Math.ceil((30_000 * (WARM_MS + PEAK_MS)) / 1_000);
const ROWS_PER_CALL = 20;

/** The round to draw in, an earlier one, and bets of the last hour; all rollups folded. Answers the earlier round. */
async function makeScenes(db: Db): Promise<number> {
  await makeScene(db, { players: PLAYERS });
  const past = await makePastRound(db, COUNT);
  const month =
    "select ensure_month('bet', m::date) from unnest(array[now() - interval '1 hour', now()]) at, date_trunc('month', at, 'UTC') m";
  await sql.raw(month).execute(db);
  await sql`insert into bet (id, bet_no, player_key, valid_bet_cents, platform, created_at)
    select ((extract(epoch from at) * 1000)::bigint - 1577836800000 + g / 10) * 16384 + g % 10, 'b' || g,
      1 + g % ${PLAYERS}::int, 100 + g % 10000, 1234, at + g / 10 * interval '1 ms'
    from generate_series(1, ${COUNT}::int) g,
      lateral (select date_trunc('milliseconds', now() - interval '1 hour') as at) a`.execute(db);
  await sql`vacuum analyze bet`.execute(db);
  while ((await inTransaction(db, foldRollups)) > 0) {
    // Until all are folded.
  }
  return past;
}

/** How often `/readyz` did not answer 200 within five seconds, asked every 200 ms. */
async function readyFailures(port: number, until: number): Promise<number> {
  let failures = 0;
  await steadily(performance.now(), 200, until, async () => {
    const signal = AbortSignal.timeout(5_000);
    const word = await fetch(`http://127.0.0.1:${port}/readyz`, { signal })
      .then(async (answer) => `${answer.status} ${await answer.text()}`)
      .catch(String);
    if (!word.startsWith("200")) {
      failures += 1;
      say(`/readyz: ${word}`);
    }
  });
  return failures;
}

/** A client of its own for each kind of calls; answers what sends a load. */
async function openClients({ openClient }: Stage) {
  const open = async (calls: Load["calls"]) => {
    const call = await openClient();
    const sizes = { rows_per_call: ROWS_PER_CALL, players: PLAYERS, warm_ms: WARM_MS };
    return async (port: number, run_ms: number, speed: Pick<Load, "most" | "pace">) =>
      await call({ port, calls, ...sizes, run_ms, ...speed });
  };
  return { draw: await open("draw"), deposit: await open("deposits") };
}

/** The test wallet, which pays at once and keeps its own book; answers the server's settings for it. */
async function openWallet({ dataDir, start }: Stage): Promise<NodeJS.ProcessEnv> {
  const secret = { KEY: "wk_bench", SECRET: "bench wallet" };
  const ledger = path.join(dataDir, "wallet.jsonl");
  const env = { PATH: process.env["PATH"], PORT: "0", LEDGER: ledger, ...secret };
  const wallet = start(source("../packages/fault-wallet/src/main"), env);
  // The wallet wrote the line.
  const { port } = JSON.parse(await wallet.ask()) as { readonly port: number };
  const { KEY: WALLET_KEY, SECRET: WALLET_SECRET } = secret;
  return { WALLET_URL: `http://127.0.0.1:${port}`, WALLET_KEY, WALLET_SECRET };
}

type Clients = Awaited<ReturnType<typeof openClients>>;

/** Lists, the peak and the draws, each alone on a server that does nothing in the background. */
async function measureAlone(stage: Stage, { draw }: Clients, tokens: readonly string[]) {
  const { server, port } = await stage.startServer({ ROLE: "web" });
  await turnPages(port, tokens, WARM_SERVER_MS);
  const pages = await turnPages(port, tokens, ALONE_MS);
  const peak = await draw(port, PEAK_MS, { most: PEAK_MOST });
  const pace = peak.per_s / 4;
  const draws = await draw(port, ALONE_MS, { pace });
  await stop(server);
  return { pages, peak, pace, draws };
}

/** Everything at once on a server with all roles. */
async function measureTogether(
  stage: Stage,
  { draw, deposit }: Clients,
  given: {
    readonly wallet: NodeJS.ProcessEnv;
    readonly tokens: readonly string[];
    readonly past: number;
    readonly pace: number;
  },
) {
  const { db } = stage.bench;
  const { server, port } = await stage.startServer(given.wallet);
  const { tokens, past, pace } = given;
  const [warm] = await Promise.all([
    draw(port, WARM_SERVER_MS, { pace }),
    turnPages(port, tokens, WARM_SERVER_MS),
  ]);
  // Earlier draws must not count as background work of this run.
  await untilDrained(db);
  const first = (await selectSealing(db)).last_block + 1;
  const until = performance.now() + MIXED_MS;
  const run_ms = MIXED_MS - WARM_MS;
  const depositPace = pace / 5 / ROWS_PER_CALL;
  const [draws, deposits, pages, sealer_lag_s, readyz_failures] = await Promise.all([
    draw(port, run_ms, { pace }),
    deposit(port, run_ms, { pace: depositPace }),
    turnPages(port, tokens, MIXED_MS),
    watchSealing(db, IS_SHORT ? 0 : 10_000, until),
    readyFailures(port, until),
    exportRound(port, tokens[0] ?? "", past, COUNT),
  ]);
  const payouts_left = await countPayoutsLeft(db);
  await untilDrained(db);
  const blocks = { first, last: (await selectSealing(db)).last_block };
  await stop(server);
  say(`${draws.calls} draws, ${deposits.calls * ROWS_PER_CALL} deposits, ${pages.length} pages`);
  return { warm, draws, pages, sealer_lag_s, readyz_failures, payouts_left, blocks };
}

await runOnStage(async (stage) => {
  const { bench } = stage;
  const clients = await openClients(stage);
  const [past, tokens, wallet] = await Promise.all([
    makeScenes(bench.db),
    signIn(bench.db),
    openWallet(stage),
  ]);
  const alone = await measureAlone(stage, clients, tokens);
  const { pace } = alone;
  const mixed = await measureTogether(stage, clients, { wallet, tokens, past, pace });
  const calls = [alone.peak, alone.draws, mixed.warm, mixed.draws].map((load) => load.calls);
  const answered = calls.reduce((sum, count) => sum + count, 0);
  await checkAnswered(bench.db, answered, "paid");
  const cpu_s = await sealAgain(bench.open("bench sealer", 1), mixed.blocks, MIXED_MS);
  const p99 = {
    draws_alone: alone.draws.p99_ms,
    draws_mixed: mixed.draws.p99_ms,
    lists_alone: quantile(alone.pages, 0.99),
    lists_mixed: quantile(mixed.pages, 0.99),
  };
  chart("mixed", "Slowest hundredth of calls, in milliseconds", [
    { name: "draws, with everything else", value: p99.draws_mixed },
    { name: "draws alone", value: p99.draws_alone },
    { name: "pages, with everything else", value: p99.lists_mixed },
    { name: "pages alone", value: p99.lists_alone },
  ]);
  return conclude(
    {
      draw_p99_ratio: p99.draws_mixed / p99.draws_alone,
      list_p99_ratio: p99.lists_mixed / p99.lists_alone,
      sealer_share: (cpu_s * 1_000) / MIXED_MS,
      sealer_lag_s: mixed.sealer_lag_s,
      readyz_failures: mixed.readyz_failures,
      draw_p99_ms: p99.draws_mixed,
      list_p99_ms: p99.lists_mixed,
      draws_per_s: pace,
      payouts_left: mixed.payouts_left,
    },
    {
      draw_p99_ratio: { at_most: 3 },
      list_p99_ratio: { at_most: 3 },
      sealer_share: { at_most: 0.1 },
      sealer_lag_s: { at_most: 60 },
      readyz_failures: { at_most: 0 },
    },
  );
});
