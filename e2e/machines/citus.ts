/**
 * Deposits and bets spread by player over a coordinator and two workers of Citus, built from its public source: the
 * outside run, the chances of many players, the week by calls, a worker killed under load, lists against what was fed,
 * and how many shards the draw path asks.
 *
 *   tsx e2e/machines/citus.ts SOURCE      as root; SOURCE: a folder with Citus at the tag that docs/operations.md names;
 *                                         PROVE_N players of the chances (24), PROVE_SEED
 *
 * Installs Citus into Debian's PostgreSQL 15.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { claim, claimEqual } from "../outside/claims.ts";
import { install } from "../outside/debian.ts";
import { askAgain, beginTrial, claimHeld, judge, settle } from "../outside/kill/judge.ts";
import { askPostgres, startPostgres } from "../outside/postgres.ts";
import { heldOnce, prove, say, SEED, until } from "../outside/proof.ts";
import { freePort, makeFolder, runRedctl } from "../outside/server.ts";
import { openAlone } from "./alone.ts";
import { claimShards, compareLists, PLANS } from "./spread.ts";

const INSTALLED = "/usr/share/postgresql/15/extension/citus.control";
const NEEDED =
  "postgresql-15 postgresql-server-dev-15 make gcc libicu-dev libssl-dev libkrb5-dev liblz4-dev libzstd-dev libselinux1-dev libxslt1-dev libpam0g-dev";
const NAME = "red";
/** The product's role, which owns its database and nothing else. */
const ROLE = "app";
const WORK_MS = 8_000;
/** PostgreSQL 15.20 has a function of this name too (decision 23). */
const RENAME = String.raw`grep -rlw have_createdb_privilege src | xargs -r sed -i 's/\bhave_createdb_privilege\b/citus_&/'`;

function installCitus(source: string): void {
  if (existsSync(INSTALLED)) {
    return;
  }
  install([INSTALLED], NEEDED);
  const config = "PG_CONFIG=/usr/lib/postgresql/15/bin/pg_config";
  for (const step of [
    RENAME,
    `./configure ${config} --without-libcurl`,
    "make -j2",
    "make install",
  ]) {
    execFileSync("/bin/sh", ["-c", step], { cwd: source, stdio: "ignore" });
  }
}

type Node = Awaited<ReturnType<typeof startNode>>;

async function startNode(name: string) {
  const [folder, port] = [makeFolder(name), await freePort()];
  const postgres = startPostgres(folder, port);
  const ask = (text: string, database = "postgres") =>
    askPostgres(postgres.url.replace(/postgres$/, database), text);
  await ask("alter system set shared_preload_libraries = 'citus'");
  postgres.stop();
  postgres.start();
  // The machines' own TLS is not what is tried here.
  await ask("alter system set citus.node_conninfo = 'sslmode=disable'");
  await ask("select pg_reload_conf()");
  await ask(`create role ${ROLE} login in role pg_monitor`);
  const pid = () =>
    Number(readFileSync(path.join(folder, "pg/postmaster.pid"), "utf8").split("\n")[0]);
  return { folder, port, postgres, ask, kill: () => process.kill(pid(), "SIGKILL") };
}

/** Bets of a month long ago, of a hundred players. */
const OLD_BETS = 20_000;
const OLD = `insert into player (player_id, user_name) select 'old-' || i, 'old-' || i from generate_series(0, 99) i;
  select ensure_month('bet', '2024-05-01');
  insert into bet (id, bet_no, player_key, valid_bet_cents, platform, created_at)
  select i, i::text, player_key, 100, 1234, '2024-05-10' from generate_series(1, ${OLD_BETS}) i
  join player on player_id = 'old-' || i % 100`;

/** A new database on all machines, spread once `before` is in it; answers where it is. */
async function openDatabase(nodes: readonly Node[], before = ""): Promise<string> {
  const [first] = nodes;
  for (const { ask } of nodes) {
    await ask(`drop database if exists ${NAME} with (force)`);
    await ask(`create database ${NAME} owner ${ROLE}`);
    await ask("create extension citus", NAME);
  }
  for (const [at, { port }] of nodes.entries()) {
    const add = at === 0 ? "citus_set_coordinator_host" : "citus_add_node";
    await first?.ask(`select ${add}('127.0.0.1', ${port})`, NAME);
  }
  const url = `postgres://${ROLE}@127.0.0.1:${first?.port}/${NAME}`;
  const env = { DATABASE_URL: url, DATA_DIR: path.join(first?.folder ?? "", "redctl") };
  const redctl = (words: string) => runRedctl(process.cwd(), env, words);
  const made = await redctl("migrate");
  claim("the schema is made", made.code === 0, made);
  await askPostgres(url, before);
  const told = await redctl("distribute");
  claim("redctl distribute says first what it does", told.out.includes("Nothing was done"), told);
  const done = await redctl("distribute --yes");
  claim("deposits and bets are spread", done.code === 0, done);
  const again = await redctl("distribute --yes");
  claim("and may be once more, if that was broken off", again.code === 0, again);
  return url;
}

/** What was there before is spread, and leaves the first machine. */
async function spreadOld(nodes: readonly Node[]): Promise<void> {
  const text = `select (select count(*)::integer from bet) as bets,
    (select sum(pg_relation_size(relid))::integer from pg_partition_tree('bet')) as bytes_here`;
  const rows = await askPostgres(await openDatabase(nodes, OLD), text);
  claimEqual("bets are spread, none is left here", rows, [{ bets: OLD_BETS, bytes_here: 0 }]);
}

/** A run of another program against the cluster. */
async function runOn(url: string, program: string, env: Record<string, string>): Promise<void> {
  const child = spawn("npx", ["tsx", program], {
    env: { ...process.env, ...env, DATABASE_URL: url, PROVE_SEED: String(SEED) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
  const [code] = await once(child, "exit");
  const broken = said.split("\n").filter((line) => line.startsWith("not ok"));
  claim(`${program} holds`, code === 0, broken.slice(0, 5));
  say(said.trim().split("\n").at(-1) ?? "");
}

/** Kills a worker under load; then compares what is listed with what was fed. */
async function breakWorker(nodes: readonly Node[], url: string): Promise<void> {
  const folder = makeFolder("citus");
  const { server, site, close } = await openAlone(folder, url);
  const trial = await beginTrial(site, folder, SEED);
  const { acks } = trial;
  for (const node of nodes.slice(1)) {
    await sleep(WORK_MS);
    node.kill();
    await sleep(1_000);
    const told = await site.redctl("doctor");
    claim(
      "redctl doctor names the worker",
      told.out.includes(`worker 127.0.0.1:${node.port} does`),
      told.out,
    );
    await sleep(WORK_MS);
    node.postgres.start();
    trial.kills += 1;
    const fed = acks.deposits.size;
    const from = Date.now();
    await until("deposits are taken again", () => acks.deposits.size > fed);
    say(`deposits are taken again after ${Date.now() - from} ms`);
    await askAgain(trial);
    await judge(trial, false);
  }
  await settle(trial);
  await compareLists(trial);
  await claimHeld(trial);
  say(`${acks.drawn.size} draws, ${acks.deposits.size} deposits`);
  for (const setting of PLANS) {
    await nodes[0]?.ask(`alter database ${NAME} set ${setting}`);
  }
  // Its new connections write plans.
  server.leave();
  await server.ended(15_000);
  await server.start();
  await claimShards(trial, path.join(nodes[0]?.folder ?? "", "pg.log"));
  await close();
  rmSync(folder, { recursive: true, force: true });
}

async function citus(): Promise<void> {
  const source = process.argv[2];
  if (source === undefined || !existsSync(path.join(source, "configure"))) {
    throw new Error("name the folder with the source of Citus");
  }
  installCitus(path.resolve(source));
  const nodes = [
    await startNode("coordinator"),
    await startNode("worker1"),
    await startNode("worker2"),
  ];
  const players = process.env["PROVE_N"] ?? "24";
  const parts = {
    "what was there": () => spreadOld(nodes),
    "a worker is killed": async () => breakWorker(nodes, await openDatabase(nodes)),
    "the week": async () => runOn(await openDatabase(nodes), "e2e/outside/week.ts", {}),
    [`chances of ${players} players`]: async () =>
      runOn(await openDatabase(nodes), "e2e/outside/calls.ts", { PROVE_N: players }),
  };
  for (const [what, run] of Object.entries(parts)) {
    await heldOnce("citus", what, run);
  }
  for (const { postgres, folder } of nodes) {
    postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await prove("citus", citus);
