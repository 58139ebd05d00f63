/** Several processes that draw in one round, and a pause of the round while they do. */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { inTransaction } from "../packages/server/src/platform/db/connection.ts";
import type { Db } from "../packages/server/src/platform/db/connection.ts";
import { pauseActivity } from "../packages/server/src/rounds/change-activity.ts";
import type { BenchDatabase } from "./database.ts";
import type { ProcessOptions } from "./draws-process.ts";
import { clearDraws, depositOnce } from "./draws-scene.ts";
import type { Scene } from "./draws-scene.ts";
import { inPairs, IS_SHORT, quantile, ratio, RUNS, say } from "./report.ts";
import { source, start, stop } from "./sides.ts";

const IN_FLIGHT = 1_024;
/** Each process compiles its code and reads its players first, which in a server is over after the first minute. */
const WARM_MS = IS_SHORT ? 300 : 8_000;
const RUN_MS = IS_SHORT ? 300 : 4_000;
const PAUSES = IS_SHORT ? 3 : 100;

/** Starts processes with `IN_FLIGHT` draws together. */
async function startProcesses(
  { connection }: BenchDatabase,
  { rounds_id, players }: Scene,
  count: number,
) {
  const options: ProcessOptions = { connection, rounds_id, players, inFlight: IN_FLIGHT / count };
  const words = [...source("draws-process"), JSON.stringify(options)];
  const processes = Array.from({ length: count }, () => start(words));
  await Promise.all(processes.map((each) => each.ask()));
  return {
    /** Draws of all of them so far. */
    async drawn(): Promise<number> {
      const counts = await Promise.all(processes.map((each) => each.ask("?")));
      return counts.reduce((sum, drawn) => sum + Number(drawn), 0);
    },
    stop: async () => await Promise.all(processes.map(stop)),
  };
}

/** `check` throws what the books contradict. */
type Given = readonly [
  bench: BenchDatabase,
  scene: Scene,
  ingest: Db,
  check: (db: Db) => Promise<void>,
];

/** From a clean start to checked books: `act` while `count` processes draw and deposits arrive at a fifth of the rate. */
async function whileDrawing<T>(
  [bench, scene, ingest, check]: Given,
  count: number,
  act: (drawn: () => Promise<number>) => Promise<T>,
): Promise<T> {
  await clearDraws(bench.db);
  const processes = await startProcesses(bench, scene, count);
  let isOver = false;
  const deposit = async () => {
    for (let deposits = 0; !isOver;) {
      if (deposits * 5 <= (await processes.drawn())) {
        deposits += await depositOnce(ingest, scene);
      } else {
        await sleep(5);
      }
    }
  };
  try {
    const acting = act(processes.drawn).finally(() => (isOver = true));
    const [result] = await Promise.all([acting, deposit()]);
    await processes.stop();
    await check(bench.db);
    return result;
  } finally {
    await processes.stop();
  }
}

/** Compares two and four processes with one, with the same number of draws in flight in total. */
export async function compareProcesses(
  ...given: Given
): Promise<Record<"two_vs_one" | "four_vs_one", number>> {
  const run = (count: number) => async () =>
    await whileDrawing(given, count, async (drawn) => {
      await sleep(WARM_MS);
      const [before, from] = [await drawn(), performance.now()];
      await sleep(RUN_MS);
      return ((await drawn()) - before) / ((performance.now() - from) / 1_000);
    });
  const pairs = await inPairs(RUNS, { one: run(1), two: run(2), four: run(4) });
  pairs.forEach((pair) => say(`processes: ${JSON.stringify(pair)}`));
  return {
    two_vs_one: ratio(pairs, "two", "one"),
    four_vs_one: ratio(pairs, "four", "one"),
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
  ...given: Given
): Promise<Record<"pause_p99_ms" | "after_pause", number>> {
  const [{ db }, { rounds_id }] = given;
  const pause = async (status: 0 | 1) =>
    await inTransaction(db, (tx) => pauseActivity(tx, OPERATOR, rounds_id, status));
  const count = async () => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from draw_record`.execute(db);
    return rows[0]?.n ?? 0;
  };
  const slowest: number[] = [];
  let after_pause = 0;
  for (const processes of IS_SHORT ? [2] : [1, 2, 4]) {
    const times: number[] = [];
    await whileDrawing(given, processes, async () => {
      for (let pauses = 0; pauses < PAUSES; pauses += 1) {
        await sleep(IS_SHORT ? 200 : 100);
        const asked = performance.now();
        await pause(0);
        times.push(performance.now() - asked);
        const atAnswer = await count();
        await sleep(20);
        after_pause += (await count()) - atAnswer;
        await pause(1);
      }
    });
    const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
    say(`pause, ${processes} processes: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`);
    slowest.push(p99);
  }
  return { pause_p99_ms: Math.max(...slowest), after_pause };
}
