/**
 * `npm run bench -- draws-http [--runs N] [--short]`: signed calls to the built server, 64 at a time, beside a naive
 * server, bare fastify routes and the server's own /healthz. Client, server and database share the cores. Checks after
 * every run that each answered draw is in the books.
 */
import type { Answered, Load } from "./draws-http-client.ts";
import type { OpponentOptions, OpponentPorts } from "./draws-http-opponents.ts";
import { checkAnswered, clearDraws, makeScene } from "./draws-scene.ts";
import { chart, conclude, inPairs, IS_SHORT, median, ratio, RUNS, say } from "./report.ts";
import { runOnStage, source } from "./sides.ts";
import type { Stage } from "./sides.ts";

const WARM_MS = IS_SHORT ? 100 : 1_000;
const RUN_MS = IS_SHORT ? 300 : 3_000;
/** Calls per second that no contender reaches; each has its own pool of signed calls. */
const MOST_PER_S = { naive: 4_000, draw: 30_000, draws: 3_000, read: 45_000, healthz: 90_000 };
const DRAWS_PER_CALL = 50;

async function contendersOf({ bench, dataDir, start, startServer, openClient }: Stage) {
  const { players } = await makeScene(bench.db, { players: IS_SHORT ? 5_000 : 50_000 });
  const call = await openClient();
  const options: OpponentOptions = { connection: bench.connection, dataDir, clients: 64 };
  const opponents = start([...source("draws-http-opponents"), JSON.stringify(options)]);
  // The process wrote the line.
  const { naive, bare } = JSON.parse(await opponents.ask()) as OpponentPorts;
  const { port: product } = await startServer();
  const times = { warm_ms: WARM_MS, run_ms: RUN_MS };
  const run =
    (port: number, calls: Load["calls"], mostPerSecond: number, rows_per_call = 0) =>
    async (): Promise<Answered> => {
      await clearDraws(bench.db);
      const most = Math.ceil((mostPerSecond * (WARM_MS + RUN_MS)) / 1_000);
      const answered = await call({ port, calls, most, rows_per_call, players, ...times });
      await checkAnswered(bench.db, answered.calls * rows_per_call);
      return answered;
    };
  return {
    draw: run(product, "draw", MOST_PER_S.draw, 1),
    draws: run(product, "draws", MOST_PER_S.draws, DRAWS_PER_CALL),
    chances: run(product, "chances", MOST_PER_S.read),
    healthz: run(product, "healthz", MOST_PER_S.healthz),
    naive: run(naive, "draw", MOST_PER_S.naive, 1),
    bare: run(bare, "draw", MOST_PER_S.read),
    bare_read: run(bare, "chances", MOST_PER_S.read),
  };
}

type Name = keyof Awaited<ReturnType<typeof contendersOf>>;

function report(pairs: readonly Record<Name, Answered>[]): number {
  const rate = (name: Name) => median(pairs.map((pair) => pair[name].per_s));
  const versus = (one: Name, other: Name, times = 1) =>
    times * ratio(pairs, one, other, ({ per_s }) => per_s);
  chart("draws-http", "Draws and calls per second over HTTP, 64 calls at a time, in the same run", [
    { name: "draws by calls of 50", value: rate("draws") * DRAWS_PER_CALL },
    { name: "single draws", value: rate("draw") },
    { name: "naive draws", value: rate("naive") },
    { name: "bare signed POST", value: rate("bare") },
    { name: "/chances", value: rate("chances") },
    { name: "bare signed GET", value: rate("bare_read") },
    { name: "/healthz", value: rate("healthz") },
  ]);
  return conclude(
    {
      vs_naive: versus("draw", "naive"),
      batch_vs_naive: versus("draws", "naive", DRAWS_PER_CALL),
      vs_bare: versus("draw", "bare"),
      read_vs_bare: versus("chances", "bare_read"),
      single_vs_healthz: versus("draw", "healthz"),
      batch_vs_healthz: versus("draws", "healthz", DRAWS_PER_CALL),
      chances_vs_healthz: versus("chances", "healthz"),
      per_s: rate("draw"),
      p99_ms: median(pairs.map((pair) => pair.draw.p99_ms)),
    },
    {
      vs_naive: { at_least: 20 },
      batch_vs_naive: { at_least: 100 },
      vs_bare: { at_least: 0.45 },
      read_vs_bare: { at_least: 0.5 },
      single_vs_healthz: { at_least: 0.3 },
      batch_vs_healthz: { at_least: 1.2 },
      chances_vs_healthz: { at_least: 0.15 },
    },
  );
}

await runOnStage(async (stage) => {
  const contenders = await contendersOf(stage);
  for (const warmUp of IS_SHORT ? [] : Object.values(contenders)) {
    await warmUp();
  }
  const pairs = await inPairs<Name, Answered>(RUNS, contenders);
  pairs.forEach((pair) => say(JSON.stringify(pair)));
  return report(pairs);
});
