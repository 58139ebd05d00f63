/** Several processes that draw in one round, and a pause of the round while they do. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { inTransaction } from "../packages/server/src/platform/connection.ts";
import type { Db } from "../packages/server/src/platform/connection.ts";
import { pauseActivity } from "../packages/server/src/rounds/pause-activity.ts";
import type { BenchDatabase } from "./database.ts";
import type { ProcessOptions } from "./draws-process.ts";
import { clearDraws, depositOnce } from "./draws-scene.ts";
import type { Scene } from "./draws-scene.ts";
import { inPairs, IS_SHORT, quantile, ratio, RUNS, say } from "./report.ts";

const ENTRY = fileURLToPath(new URL("./draws-process.ts", import.meta.url));
const IN_FLIGHT = 1_024;
const WARM_MS = IS_SHORT ? 300 : 1_500;
const RUN_MS = IS_SHORT ? 300 : 4_000;
const PAUSES = IS_SHORT ? 3 : 100;

const sleep = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

/** Starts processes with `IN_FLIGHT` draws together. */
async function startProcesses(
  { connection }: BenchDatabase,
  { rounds_id, players }: Scene,
  count: number,
) {
  const options: ProcessOptions = { connection, rounds_id, players, inFlight: IN_FLIGHT / count };
  const processes = Array.from({ length: count }, () => {
    const words = ["--import", "tsx", ENTRY, JSON.stringify(options)];
    const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] });
    return { child, lines: createInterface(child.stdout) };
  });
  await Promise.all(processes.map(({ lines }) => once(lines, "line")));
  return {
    /** Draws of all of them so far. */
    async drawn(): Promise<number> {
      const counts = processes.map(async ({ child, lines }) => {
        const answer = once(lines, "line");
        child.stdin.write("?");
        return Number((await answer)[0]);
      });
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },
    async stop(): Promise<void> {
      const ends = processes.map(async ({ child }) => {
        const end = once(child, "exit");
        child.kill("SIGKILL");
        await end;
      });
      await Promise.all(ends);
    },
  };
}

/** Deposits at a fifth of the rate of the draws, until `stop`. */
function depositBeside(ingest: Db, scene: Scene, drawn: () => Promise<number>) {
  let isOver = false;
  const run = async () => {
    for (let deposits = 0; !isOver;) {
      if (deposits * 5 <= (await drawn())) {
        deposits += await depositOnce(ingest, scene);
      } else {
        await sleep(5);
      }
    }
  };
  const running = run();
  return async () => {
    isOver = true;
    await running;
  };
}

/** The draws of two and of four processes beside those of one, with as many in flight together. */
export async function compareProcesses(
  bench: BenchDatabase,
  scene: Scene,
  ingest: Db,
  check: (db: Db) => Promise<void>,
): Promise<Record<"two_vs_one" | "four_vs_one", number>> {
  const run = (count: number) => async () => {
    await clearDraws(bench.db);
    const processes = await startProcesses(bench, scene, count);
    const stop = depositBeside(ingest, scene, processes.drawn);
    await sleep(WARM_MS);
    const [before, from] = [await processes.drawn(), performance.now()];
    await sleep(RUN_MS);
    const per_s = ((await processes.drawn()) - before) / ((performance.now() - from) / 1_000);
    await stop();
    await processes.stop();
    await check(bench.db);
    return per_s;
  };
  const pairs = await inPairs(RUNS, { one: run(1), two: run(2), four: run(4) });
  pairs.forEach((pair) => say(`processes: ${JSON.stringify(pair)}`));
  return {
    two_vs_one: ratio(
      pairs,
      ({ two }) => two,
      ({ one }) => one,
    ),
    four_vs_one: ratio(
      pairs,
      ({ four }) => four,
      ({ one }) => one,
    ),
  };
}

const OPERATOR = {
  kind: "operator",
  name: "bench",
  request_id: "bench",
  address: "127.0.0.1",
} as const;

/** How long a pause of the round takes at full load, and how many draws commit after its answer. */
export async function comparePauses(
  bench: BenchDatabase,
  scene: Scene,
  ingest: Db,
  check: (db: Db) => Promise<void>,
): Promise<Record<"pause_p99_ms" | "after_pause", number>> {
  const times: number[] = [];
  let after = 0;
  const count = async () => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from draw_record`.execute(
      bench.db,
    );
    return rows[0]?.n ?? 0;
  };
  for (const processCount of IS_SHORT ? [2] : [1, 2, 4]) {
    await clearDraws(bench.db);
    const processes = await startProcesses(bench, scene, processCount);
    const stop = depositBeside(ingest, scene, processes.drawn);
    const own: number[] = [];
    for (let pause = 0; pause < PAUSES; pause += 1) {
      await sleep(IS_SHORT ? 200 : 100);
      const asked = performance.now();
      await inTransaction(bench.db, (tx) => pauseActivity(tx, OPERATOR, scene.rounds_id, 0));
      own.push(performance.now() - asked);
      const atAnswer = await count();
      await sleep(20);
      after += (await count()) - atAnswer;
      await inTransaction(bench.db, (tx) => pauseActivity(tx, OPERATOR, scene.rounds_id, 1));
    }
    await stop();
    await processes.stop();
    await check(bench.db);
    say(
      `pause, ${processCount} processes: p50 ${quantile(own, 0.5).toFixed(0)} ms, p99 ${quantile(own, 0.99).toFixed(0)} ms`,
    );
    times.push(quantile(own, 0.99));
  }
  return { pause_p99_ms: Math.max(...times), after_pause: after };
}
