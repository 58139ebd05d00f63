/**
 * Kills the system under load at the moments at which something could be lost or paid twice, then checks from
 * outside: the answers to a client, the wallet's own ledger, the rows of the database.
 *
 *   tsx e2e/outside/kill.ts        starts the system itself; PROVE_N kills (9), PROVE_SEED
 */
import { setTimeout as sleep } from "node:timers/promises";
import { askAgain, beginTrial, claimHeld, judge, settle } from "./kill/judge.ts";
import type { Trial } from "./kill/judge.ts";
import { startLoad } from "./kill/load.ts";
import { openStage } from "./kill/stage.ts";
import type { Stage } from "./kill/stage.ts";
import { MAIN_POINTS, planOf } from "./kill/strikes.ts";
import type { Planned } from "./kill/strikes.ts";
import { claim } from "./claims.ts";
import { prove, say, SEED } from "./proof.ts";

const KILLS = Number(process.env["PROVE_N"] ?? 9);
const GROUP = 40;
/** The wallet's behaviour, kill by kill. */
const MOODS: readonly object[] = [
  { mode: "pay" },
  { mode: "refuse", every: 8 },
  { mode: "pay_then_drop", every: 8 },
  { mode: "pay_then_500", every: 8 },
  { mode: "processing", every: 8, by: "callback", seconds: 0.3 },
  { mode: "error_500", every: 8 },
];

interface Run extends Trial {
  readonly stage: Stage;
  /** Kills that hit their moment, by point. */
  readonly struck: Map<string, number>;
  /** From each kill until everything is up again, in milliseconds. */
  readonly recoveries: number[];
  /** Kills during work. */
  busy: number;
  /** Server processes that ended without being killed. */
  readonly deserters: string[];
}

async function recover({ stage, recoveries }: Run, mood: object): Promise<void> {
  const from = Date.now();
  const { web, worker, wallet } = stage;
  web.spare();
  worker.spare();
  await Promise.all([web.start(), worker.start(), wallet.start()]);
  await stage.tellWallet(mood);
  recoveries.push(Date.now() - from);
}

async function kill(run: Run, { name, point, turn }: Planned): Promise<void> {
  const { stage, scene, load, recoveries } = run;
  const mood = MOODS[run.kills % MOODS.length] ?? {};
  await stage.tellWallet(point.wallet ?? mood);
  await sleep(150 + 250 * run.dice());
  const up = [stage.web, stage.worker].filter((one) => one.isUp());
  const struck = await point.strike(stage, scene, load, turn);
  if (name.includes("PostgreSQL") || (/^P[123] /.test(name) && turn % 2 === 0)) {
    run.deserters.push(...up.filter((one) => !one.isUp()).map((one) => `${one.name} at ${name}`));
  }
  await recover(run, mood);
  const sending = await stage.database.count("payout where state = 'sending'");
  const isBusy = struck.isBusy || sending > 0;
  run.kills += 1;
  run.busy += isBusy ? 1 : 0;
  run.struck.set(name, (run.struck.get(name) ?? 0) + (struck.isMet && isBusy ? 1 : 0));
  say(
    `kill ${run.kills} ${name}${struck.isMet ? "" : ", missed"}${isBusy ? "" : ", idle"}: ${sending} payouts left, up after ${recoveries.at(-1) ?? 0} ms`,
  );
  await askAgain(run);
  await judge(run, false);
}

function shownTime(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}

/** Prints what was done, and claims that it was enough for a proof. */
async function report(run: Run): Promise<void> {
  const { struck, kills, busy, acks, recoveries } = run;
  for (const [name, count] of struck) {
    say(`  ${name.padEnd(34)} ${count}`);
  }
  const answered = [...run.statuses].map(([status, count]) => `${status}: ${count}`).join(", ");
  say(`kills ${kills}, with work under way ${busy} (${((100 * busy) / kills).toFixed(1)} %)`);
  say(
    `draws told ${acks.drawn.size}, refused ${acks.refused.size}, deposits ${acks.deposits.size}`,
  );
  say(`answers by status (0: none): ${answered}`);
  say(`up again after ${shownTime(recoveries, 0.5)} ms, at most ${Math.max(...recoveries)} ms`);
  const least = Math.floor(KILLS / 10) || Math.floor(KILLS / Object.keys(MAIN_POINTS).length);
  for (const name of Object.keys(MAIN_POINTS)) {
    const count = struck.get(name) ?? 0;
    claim(`${name}: struck ${least} times or more`, count >= least, count);
  }
  claim("work was under way at nine kills of ten", busy >= 0.9 * kills, busy);
  await claimHeld(run);
  claim("no server ends with its PostgreSQL", run.deserters.length === 0, run.deserters);
}

async function strikeAll(stage: Stage, folder: string): Promise<void> {
  const trial = await beginTrial(stage, folder, SEED);
  const { scene, acks, dice, since } = trial;
  const seen = { struck: new Map(), recoveries: [], busy: 0, deserters: [] };
  const run: Run = { ...trial, stage, ...seen };
  const groups = planOf(KILLS, GROUP);
  for (const [at, group] of groups.entries()) {
    for (const planned of group) {
      await kill(run, planned);
    }
    const left = Math.round((Date.now() - since) / 1000);
    say(`${run.kills} kills after ${left} s, ${acks.drawn.size} draws`);
    await settle(run);
    if (at < groups.length - 1) {
      run.load = startLoad(stage, scene, acks, dice);
    }
  }
  await report(run);
}

async function killAll(folder: string): Promise<void> {
  const since = Date.now();
  const stage = await openStage(folder);
  await strikeAll(stage, folder);
  await stage.close();
  say(`${KILLS} kills in ${Math.round((Date.now() - since) / 1000)} s, seed ${SEED}`);
}

await prove("kill", killAll);
