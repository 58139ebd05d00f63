/**
 * Kills the system under load at the moments at which something could be lost or paid twice, then checks from
 * outside: the answers to a client, the wallet's own ledger, the rows of the database. Prints one line per claim;
 * status 1 when one fails.
 *
 *   tsx e2e/outside/kill.ts        starts the system itself; PROVE_N kills (9), PROVE_SEED, --keep
 */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openAcks } from "./kill/acks.ts";
import type { Acks } from "./kill/acks.ts";
import { gather } from "./kill/evidence.ts";
import { startLoad } from "./kill/load.ts";
import type { Load } from "./kill/load.ts";
import { ALWAYS, IN_QUIET } from "./kill/oracle.ts";
import { setScene } from "./kill/scene.ts";
import type { Scene } from "./kill/scene.ts";
import { openStage } from "./kill/stage.ts";
import type { Stage } from "./kill/stage.ts";
import { MAIN_POINTS, planOf } from "./kill/strikes.ts";
import type { Planned } from "./kill/strikes.ts";
import { tieOut } from "./kill/tie-out.ts";
import { claim, part, verdict } from "./claims.ts";
import { windowOf } from "./context.ts";
import { random } from "./random.ts";
import { makeFolder } from "./server.ts";

const KILLS = Number(process.env["PROVE_N"] ?? 9);
const SEED = Number(process.env["PROVE_SEED"] ?? randomBytes(4).readUInt32BE());
const GROUP = 40;
const SETTLE_MS = 240_000;
/** Latest answered draws to repeat after each kill. */
const ASKED_AGAIN = 15;
/** The wallet's behaviour, kill by kill. */
const MOODS: readonly object[] = [
  { mode: "pay" },
  { mode: "refuse", every: 8 },
  { mode: "pay_then_drop", every: 8 },
  { mode: "pay_then_500", every: 8 },
  { mode: "processing", every: 8, by: "callback", seconds: 0.3 },
  { mode: "error_500", every: 8 },
];

const say = (line: string) => process.stdout.write(`${line}\n`);

interface Run {
  readonly stage: Stage;
  readonly scene: Scene;
  readonly acks: Acks;
  readonly dice: () => number;
  load: Load;
  /** Draws with another answer when they were repeated. */
  readonly changed: unknown[];
  /** Rows that break an invariant, by its name. */
  readonly broken: Map<string, unknown[]>;
  /** Kills that hit their moment, by point. */
  readonly struck: Map<string, number>;
  /** Faults of finished loads. */
  readonly faults: string[];
  readonly statuses: Map<number, number>;
  /** From each kill until everything is up again, in milliseconds. */
  readonly recoveries: number[];
  kills: number;
  /** Kills during work. */
  busy: number;
  /** Server processes that ended without being killed. */
  readonly deserters: string[];
}

async function judge(run: Run, isQuiet: boolean): Promise<void> {
  const drawn = new Map(run.acks.drawn);
  const pauses = [...run.acks.pauses];
  const evidence = await gather(run.stage);
  const about = { acks: run.acks, drawn, pauses, evidence, changed: run.changed };
  for (const [name, search] of Object.entries(isQuiet ? IN_QUIET : ALWAYS)) {
    const found = search(about);
    if (found.length > 0) {
      say(`broken after kill ${run.kills}: ${name}: ${JSON.stringify(found.slice(0, 3))}`);
      run.broken.set(name, [...(run.broken.get(name) ?? []), ...found]);
    }
  }
}

/** Repeats the latest answered draws: each must get the same answer, byte for byte. */
async function askAgain({ stage, acks, dice, changed }: Run): Promise<void> {
  const last = [...acks.drawn.values()].slice(-100).filter(({ text }) => text !== null);
  const some = last.toSorted(() => dice() - 0.5).slice(0, ASKED_AGAIN);
  for (const { ask, text } of some) {
    const answer = await stage.platform.draw(ask);
    if (answer.status !== 200 || answer.text !== text) {
      changed.push({ ask, first: text, later: answer.text, status: answer.status });
    }
  }
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

/** Stops the load and waits until every payout is settled. */
async function settle(run: Run): Promise<void> {
  const { stage, load } = run;
  await stage.tellWallet({ mode: "pay" });
  await load.stop();
  run.faults.push(...load.faults);
  if (load.faults.length > 0) {
    say(
      `faults: ${load.faults.slice(0, 5).join("\n")}\nthe web process said: ${stage.web.output()}`,
    );
  }
  load.statuses.forEach((n, status) =>
    run.statuses.set(status, (run.statuses.get(status) ?? 0) + n),
  );
  const giveUp = Date.now() + SETTLE_MS;
  let open = 1;
  while (open > 0 && Date.now() < giveUp) {
    await sleep(300);
    open = await stage.database.count("payout where state in ('queued', 'sending', 'unknown')");
  }
  await judge(run, true);
}

function shownTime(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}

/** Prints what was done, and claims that it was enough for a proof. */
function report(run: Run): void {
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
  claim("draws were answered", acks.drawn.size > 0);
  for (const name of Object.keys(IN_QUIET)) {
    const found = run.broken.get(name) ?? [];
    claim(name, found.length === 0, found.slice(0, 3));
  }
  claim("every answer can be explained", run.faults.length === 0, run.faults.slice(0, 3));
  claim("no server ends with its PostgreSQL", run.deserters.length === 0, run.deserters);
}

async function prove(stage: Stage, folder: string, since: number): Promise<void> {
  const dice = random(SEED);
  const scene = await setScene(stage, windowOf(since));
  const acks = openAcks(path.join(folder, "acks.jsonl"));
  const load = startLoad(stage, scene, acks, dice);
  const run: Run = {
    stage,
    scene,
    acks,
    dice,
    load,
    changed: [],
    broken: new Map(),
    struck: new Map(),
    faults: [],
    statuses: new Map(),
    recoveries: [],
    kills: 0,
    busy: 0,
    deserters: [],
  };
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
  await tieOut(stage, scene, acks, since);
  report(run);
  acks.close();
}

async function main(): Promise<0 | 1> {
  say(`seed ${SEED}`);
  execFileSync(process.execPath, ["tools/build.mjs", "server"], { stdio: "inherit" });
  const folder = makeFolder("kill");
  const since = Date.now();
  await part("the run", async () => {
    const stage = await openStage(folder);
    await prove(stage, folder, since);
    await stage.close();
  });
  say(`${KILLS} kills in ${Math.round((Date.now() - since) / 1000)} s, seed ${SEED}`);
  if (!process.argv.includes("--keep")) {
    rmSync(folder, { recursive: true, force: true });
  }
  return verdict();
}

process.exit(await main());
