/**
 * `npm run bench -- standby [--runs N] [--short]`: signed draws over HTTP on one PostgreSQL 15 alone, and on the same with a
 * synchronous standby, which shares its cores and disk. Checks after every run that each answered draw is in the books.
 */
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { startPostgres } from "../e2e/outside/postgres.ts";
import { freePort, makeFolder } from "../e2e/outside/server.ts";
import { checkAnswered, clearDraws, makeScene } from "./draws-scene.ts";
import { conclude, inPairs, IS_SHORT, median, quantile, ratio, RUNS, say } from "./report.ts";
import { runOnStage } from "./sides.ts";
import type { Stage } from "./sides.ts";

const TIMES = IS_SHORT ? { warm_ms: 100, run_ms: 300 } : { warm_ms: 1_000, run_ms: 4_000 };
const [home, away] = [makeFolder("bench-primary"), makeFolder("bench-standby")];
const primaryPort = await freePort();

async function contendersOf({ bench: { db }, startServer, openClient }: Stage) {
  // A standby that is stopped needs later what is written meanwhile.
  await sql`alter system set wal_keep_size = '8GB'`.execute(db);
  const { players } = await makeScene(db, { players: IS_SHORT ? 5_000 : 50_000 });
  const standby = startPostgres(away, await freePort(), primaryPort);
  standby.stop();
  const [call, { port }] = [await openClient(), await startServer()];
  const demand = async (standbys: "" | "*") => {
    await sql.raw(`alter system set synchronous_standby_names = '${standbys}'`).execute(db);
    await sql`select pg_reload_conf()`.execute(db);
  };
  /** Milliseconds from a commit on the primary's disk until the synchronous standby shows it; `isLevel`: only if it shows all. */
  const replay = async (isLevel = false) => {
    const { rows } = await sql<{ ms: number }>`
      select coalesce(extract(epoch from replay_lag) * 1000, 0)::float8 as ms from pg_stat_replication
      where sync_state = 'sync' and (not ${isLevel}::boolean or replay_lsn >= pg_current_wal_lsn())`.execute(
      db,
    );
    return rows.map(({ ms }) => ms);
  };
  const alone = async () => {
    await clearDraws(db);
    const lags: number[] = [];
    const most = IS_SHORT ? 12_000 : 150_000;
    const calling = call({ port, calls: "draw", rows_per_call: 1, most, players, ...TIMES });
    while (await Promise.race([calling.then(() => false), sleep(100, true)])) {
      lags.push(...(await replay()));
    }
    const { calls: answered, ...figures } = await calling;
    await checkAnswered(db, answered);
    return { ...figures, replay_ms: median(lags), replay_p99_ms: quantile(lags, 0.99) };
  };
  const beside = async () => {
    standby.start();
    await demand("*");
    while ((await replay(true)).length === 0) {
      await sleep(100);
    }
    try {
      return await alone();
    } finally {
      await demand("");
      standby.stop();
    }
  };
  return { beside, alone };
}

const primary = startPostgres(home, primaryPort);
process.env["BENCH_DATABASE_URL"] = primary.url;
try {
  await runOnStage(async (stage) => {
    const contenders = await contendersOf(stage);
    for (const warmUp of IS_SHORT ? [] : Object.values(contenders)) {
      await warmUp();
    }
    const pairs = await inPairs(RUNS, contenders);
    pairs.forEach((pair) => say(JSON.stringify(pair)));
    const figures = {
      vs_alone: ratio(pairs, "beside", "alone", ({ per_s }) => per_s),
      replay_ms: median(pairs.map(({ beside }) => beside.replay_ms)),
      replay_p99_ms: median(pairs.map(({ beside }) => beside.replay_p99_ms)),
    };
    return conclude(figures, { vs_alone: { at_least: 0.6 } });
  });
} finally {
  primary.stop();
  [home, away].forEach((folder) => rmSync(folder, { recursive: true, force: true }));
}
