/**
 * Rolling upgrades under load: two web processes and a worker of the release before, on machines of their own, are replaced
 * one by one by those of this tree. No call fails after its own repetition, and no lock on a table is held for long.
 *
 *   tsx e2e/machines/upgrade.ts      as root; PROVE_N upgrades (2), PROVE_SEED
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { claim, claimEqual } from "../outside/claims.ts";
import { dig } from "../outside/json.ts";
import { beginTrial, claimHeld, judge, settle } from "../outside/kill/judge.ts";
import type { Site } from "../outside/kill/stage.ts";
import { git, heldOnce, prove, say, SEED } from "../outside/proof.ts";
import { openMachines, openProduct, PRODUCT } from "./product.ts";
import type { Machines } from "./product.ts";

const UPGRADES = Number(process.env["PROVE_N"] ?? 2);
const BEFORE = path.resolve(".cache/release-before");
const NEXT = path.resolve(".cache/release-next");
/** Migrations of what every draw and payout uses, whatever else this release changes: one table each (decision 22). */
const PLANTED = ["draw_record", "draw_request", "player", "payout"];
const LOCK_MS_MAX = 200;
const SAMPLE_MS = 20;
/** Under load before, between and after the replacements. */
const WORK_MS = 3_000;
const SLOW_MS = 5_000;

/** The commit before the one that raised the version in package.json. */
function releaseBefore(): string {
  const version = /"version": "[^"]+"/.exec(readFileSync("package.json", "utf8"))?.[0] ?? "";
  return `${git("log", "--format=%H", "-S", version, "--", "package.json").split("\n").at(-1) ?? ""}^`;
}

/** Builds the release before in a work tree of its own. */
function buildBefore(): void {
  const commit = git("rev-parse", releaseBefore());
  rmSync(BEFORE, { recursive: true, force: true });
  git("worktree", "prune");
  git("worktree", "add", "--detach", BEFORE, commit);
  execFileSync("npm", ["ci", "--prefer-offline"], { cwd: BEFORE, stdio: "ignore" });
  execFileSync(process.execPath, ["tools/build.mjs", "server"], { cwd: BEFORE, stdio: "inherit" });
  say(`the release before is ${commit}`);
}

/** This release with some more migrations. */
function buildNext(): void {
  rmSync(NEXT, { recursive: true, force: true });
  cpSync("packages/server/dist", NEXT, { recursive: true });
  for (const table of PLANTED) {
    const file = path.join(NEXT, "platform/migrations", `9999-${table}.sql`);
    writeFileSync(file, `alter table ${table} add column planted integer`);
  }
}

/** Locks that keep readers or writers of a table out, as they are now, with the time; a lock ends with its transaction. */
const LOCKS = `select round(extract(epoch from clock_timestamp()) * 1000), k.held, k.what
  from (select) as now left join (
    select concat_ws(' ', l.relation, l.mode, l.pid, a.xact_start) as held, concat_ws(' ', l.relation::regclass, l.mode,
      a.backend_type, left(regexp_replace(a.query, '\\s+', ' ', 'g'), 200)) as what
    from pg_locks l
    join pg_class c on c.oid = l.relation and c.relkind in ('r', 'p', 'v') and c.oid >= 16384
    join pg_stat_activity a on a.pid = l.pid
    where l.granted and l.locktype = 'relation' and l.database = (select oid from pg_database where datname = current_database())
      and l.mode in ('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock')) as k on true`;

/** Watches for them in a process of its own; answers the longest, and the longest time in which it did not look. */
function watchLocks(databaseUrl: string) {
  const psql = spawn("psql", ["-XAt", databaseUrl], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(psql, "exit");
  let told = "";
  psql.stdout.on("data", (chunk: Buffer) => (told += chunk.toString("utf8")));
  psql.stdin.write(`${LOCKS} \\watch ${SAMPLE_MS / 1000}\n`);
  return async () => {
    const end = Date.now();
    psql.kill("SIGTERM");
    await ended;
    let [last, blind] = [Infinity, 0];
    const held = new Map<string, { what: string; since: number; ms: number }>();
    for (const line of told.split("\n").filter((one) => /^\d/.test(one))) {
      const [time = "", key = "", what = ""] = line.split("|");
      const at = Number(time);
      [last, blind] = [at, Math.max(blind, at - last)];
      const { since } = held.get(key) ?? { since: at };
      if (key !== "") {
        held.set(key, { what, since, ms: at - since });
      }
    }
    blind = last === Infinity ? Infinity : Math.max(blind, end - last);
    return { longest: [...held.values()].toSorted((a, b) => b.ms - a.ms), blind };
  };
}

/** A call of an operator that arrives in two halves; answers its status. Of two at once nearly always one goes to each web process. */
async function uploadSlowly({ base, token }: Site): Promise<unknown> {
  const headers = { token, "Content-Type": "application/json" };
  const call = request(`${base}/gred/api/userInfo/betlog`, { method: "POST", headers });
  const answered = once(call, "response").catch((error: unknown) => [{ statusCode: error }]);
  call.write('{"page":1,');
  await sleep(SLOW_MS);
  call.end('"size":1}');
  const [answer] = await answered;
  return answer.statusCode;
}

async function upgrade(machines: Machines, turn: number, folder: string): Promise<void> {
  const product = await openProduct(machines, folder, `upgrade_${turn}`, BEFORE);
  const { site, databaseUrl } = product;
  const trial = await beginTrial(site, folder, SEED + turn);
  const locks = watchLocks(databaseUrl);
  for (const [at, machine] of PRODUCT.entries()) {
    await sleep(WORK_MS);
    const slow = [uploadSlowly(site), uploadSlowly(site)];
    await sleep(300);
    const hasEnded = await product.replace(at, ".", NEXT);
    claim(`${machine} of the release before ends in time`, hasEnded);
    claimEqual("slow calls on their way are answered", await Promise.all(slow), [200, 200]);
    await judge(trial, false);
  }
  await sleep(WORK_MS);
  const { longest, blind } = await locks();
  await settle(trial);
  const programs = await Promise.all(
    PRODUCT.map(async (machine) => {
      const answer = await fetch(`http://${machines.net.addressOf(machine)}:8080/readyz`);
      return String(dig(await answer.json(), "program"));
    }),
  );
  claimEqual("all processes are of this release", [...new Set(programs)], ["9999-player"]);
  claim(
    `no lock on a table was held over ${LOCK_MS_MAX} ms`,
    (longest[0]?.ms ?? 0) <= LOCK_MS_MAX,
    longest.slice(0, 3),
  );
  claim("and none was overlooked for so long", blind <= LOCK_MS_MAX, blind);
  await claimHeld(trial);
  const answers = [...trial.statuses].map(([status, count]) => `${status}: ${count}`).join(", ");
  say(
    `upgrade ${turn}: ${trial.acks.drawn.size} draws, answers by status ${answers}, longest lock ${longest[0]?.ms ?? 0} ms, looked at least every ${blind} ms`,
  );
  await product.close();
}

async function upgradeAll(folder: string): Promise<void> {
  buildBefore();
  buildNext();
  const machines = await openMachines(folder);
  for (let turn = 1; turn <= UPGRADES; turn += 1) {
    await heldOnce("upgrade", `upgrade ${turn}`, () =>
      upgrade(machines, turn, path.join(folder, String(turn))),
    );
  }
  machines.net.close();
  git("worktree", "remove", "--force", BEFORE);
}

await prove("upgrade", upgradeAll);
