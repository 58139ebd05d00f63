/**
 * The product on ten machines, which are killed, stopped and cut off one after the other under load: nothing that was
 * answered is lost or done twice, no two primaries answer, and draws go on.
 *
 *   tsx e2e/machines/failover.ts      as root; PROVE_N blows (6), PROVE_SEED
 */
import { rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { askPostgres } from "../outside/postgres.ts";
import { brokenSoFar, claim, claimEqual } from "../outside/claims.ts";
import { askAgain, beginTrial, claimHeld, judge, settle } from "../outside/kill/judge.ts";
import type { Trial } from "../outside/kill/judge.ts";
import { heldOnce, prove, say, SEED, until } from "../outside/proof.ts";
import { random } from "../outside/random.ts";
import { makeFolder } from "../outside/server.ts";
import { DATABASES, ETCDS } from "./cluster.ts";
import { rivals, startProbes } from "./probe.ts";
import { openMachines, openProduct } from "./product.ts";

const BLOWS_MAX = Number(process.env["PROVE_N"] ?? 6);
const GROUP = 20;
const GAP_P95_MS = 35_000;

const TARGETS = ["primary", "standby", "etcd", "balancer", "web", "worker"] as const;
const WAYS = ["kill", "stop", "cut"] as const;

interface Blow {
  readonly target: (typeof TARGETS)[number];
  readonly way: (typeof WAYS)[number];
  /** How long the machine is away, in milliseconds. */
  readonly awayMs: number;
  readonly dice: number;
}

/** Every target in every way, again and again, each round in another order. */
function planOf(count: number): Blow[] {
  const dice = random(SEED);
  const all = TARGETS.flatMap((target) => WAYS.map((way) => ({ target, way })));
  const rounds = Array.from({ length: Math.ceil(count / all.length) }, () =>
    all
      .map((one) => ({
        ...one,
        order: dice(),
        dice: dice(),
        awayMs: dice() < 0.5 ? 4_000 : 30_000,
      }))
      .toSorted((a, b) => a.order - b.order),
  );
  return rounds.flat().slice(0, count);
}

async function openPlace(folder: string) {
  const machines = await openMachines(folder);
  const { members, site } = await openProduct(machines, path.join(folder, "product"), "red");
  await askPostgres(
    machines.cluster.url,
    "create table failover_probe (id uuid primary key default gen_random_uuid())",
  );
  const probes = startProbes(DATABASES, machines.cluster.urlOf);
  return { ...machines, product: members, site, probes };
}

type Place = Awaited<ReturnType<typeof openPlace>>;

async function machineOf({ cluster }: Place, { target, dice }: Blow): Promise<string> {
  switch (target) {
    case "primary":
      return (await cluster.who("leader")) ?? "db1";
    case "standby":
      return (await cluster.who("sync_standby")) ?? "db2";
    case "etcd":
      return ETCDS[Math.floor(dice * ETCDS.length)] ?? "etcd1";
    case "web":
      return dice < 0.5 ? "web1" : "web2";
    case "balancer":
      return "lb";
    case "worker":
      return target;
  }
}

/** Measures the longest time without an answered draw, until stopped. */
function watchGaps({ acks }: Trial) {
  let longest = 0;
  let since = Date.now();
  let seen = acks.drawn.size;
  const timer = setInterval(() => {
    longest = Math.max(longest, Date.now() - since);
    if (acks.drawn.size > seen) {
      [seen, since] = [acks.drawn.size, Date.now()];
    }
  }, 50);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

async function strike(place: Place, trial: Trial, blow: Blow): Promise<number> {
  const { net, cluster, product } = place;
  const name = await machineOf(place, blow);
  const members = [...cluster.members.values(), ...product].filter((one) => one.name === name);
  const stopGaps = watchGaps(trial);
  await sleep(300);
  if (blow.way === "cut") {
    net.cut(name);
  } else {
    net.signalAll(name, blow.way === "kill" ? "SIGKILL" : "SIGSTOP");
  }
  await sleep(blow.awayMs);
  if (blow.way === "cut") {
    net.heal(name);
  } else if (blow.way === "stop") {
    net.signalAll(name, "SIGCONT");
  }
  for (const one of members) {
    await one.start();
  }
  await Promise.all(product.map((one) => one.start()));
  await cluster.whole();
  const drawn = trial.acks.drawn.size;
  await until("draws go on", () => trial.acks.drawn.size > drawn);
  const gap = stopGaps();
  trial.kills += 1;
  say(
    `${trial.kills} ${blow.way} ${blow.target} (${name}) for ${blow.awayMs / 1000} s: no draw for ${gap} ms`,
  );
  await askAgain(trial);
  await judge(trial, false);
  return gap;
}

/** Runs one group on machines of its own; answers the times without draws. */
async function runGroup(blows: readonly Blow[]): Promise<number[]> {
  const folder = makeFolder("failover");
  const place = await openPlace(folder);
  const { site, probes, net } = place;
  const trial = await beginTrial(site, folder, SEED);
  const { acks } = trial;
  const gaps: number[] = [];
  for (const blow of blows) {
    gaps.push(await strike(place, trial, blow));
  }
  await settle(trial);
  const { acts } = trial.load;
  const rows = await site.database.rows<{ request_id: string }>(
    "select request_id from audit_log where action in ('update_prize', 'pause_activity', 'resume_activity')",
  );
  const logged = new Set(rows.map(({ request_id }) => request_id));
  const unlogged = acts.filter((id) => !logged.has(String(id)));
  claim("no answered act of an operator lacks its row in the log", unlogged.length === 0, unlogged);
  claimEqual("and none has two", rows.length, logged.size);
  await claimHeld(trial);
  await probes.stop();
  claimEqual("no two primaries answered", rivals(probes.done).slice(0, 3), []);
  await claimFileOfStandby(place, trial);
  const written = await askPostgres<{ id: string }>(
    place.cluster.url,
    "select id from failover_probe",
  );
  const found = new Set(written.map(({ id }) => id));
  const lost = probes.done.filter(({ id }) => !found.has(id));
  claim("no write that a database answered is lost", lost.length === 0, lost.slice(0, 3));
  say(
    `${acks.drawn.size} draws, ${acks.deposits.size} deposits, ${acts.length} acts, ${found.size} probes`,
  );
  await site.database.close();
  site.wallet.leave();
  net.close();
  rmSync(folder, { recursive: true, force: true });
  return gaps;
}

/** What was read through DATABASE_READ_URL was not read from the primary. */
async function claimFileOfStandby({ cluster }: Place, { site, scene }: Trial): Promise<void> {
  const file = `${site.base}/gred/api/record/export?rounds_id=${scene.free.id}&format=csv`;
  const answer = await fetch(file, { headers: { token: site.token } });
  const text = "select from pg_stat_activity where application_name = 'red-packet exports'";
  const readers: string[] = [];
  for (const name of DATABASES) {
    readers.push(...(await askPostgres(cluster.urlOf(name), text)).map(() => name));
  }
  const leader = await cluster.who("leader");
  const isRight = answer.ok && readers.length > 0 && readers.every((name) => name !== leader);
  claim("a file comes from a standby", isRight, { status: answer.status, readers, leader });
}

async function failover(): Promise<void> {
  const plan = planOf(BLOWS_MAX);
  const gaps: number[] = [];
  // What a broken group leaves running would break the next.
  for (let at = 0; at < plan.length && brokenSoFar() === 0; at += GROUP) {
    const some = plan.slice(at, at + GROUP);
    const what = `blows ${at + 1} to ${at + some.length}`;
    gaps.push(...((await heldOnce("failover", what, () => runGroup(some))) ?? []));
  }
  const p95 = gaps.toSorted((a, b) => a - b)[Math.ceil(gaps.length * 0.95) - 1] ?? Infinity;
  say(`time without draws: p95 ${p95} ms, at most ${Math.max(...gaps)} ms, ${gaps.length} blows`);
  claim("draws are back within 35 s, at 95 of 100 blows", p95 <= GAP_P95_MS, p95);
}

await prove("failover", failover);
