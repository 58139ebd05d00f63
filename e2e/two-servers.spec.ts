/** Two server processes on one PostgreSQL server (Debian's 15) draw from one pool to exactly its end. */
import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { dig, parsed, textAt } from "./outside/json.ts";
import { operatorCall, operatorOf } from "./outside/operator.ts";
import { askFor, inFlight, platformOf } from "./outside/platform.ts";
import { freePort, runRedctl, startSystem } from "./outside/server.ts";
import { codeOf, stepAt } from "./outside/totp.ts";
import { makeOpenRound } from "./stories/round.ts";

const BIN = "/usr/lib/postgresql/15/bin";
const ROOT = process.cwd();
const ADMIN = { username: "two-op", password: "a password for two servers" };
const STOCK = 300;
const ASKED = 480;

function run(program: string, args: readonly string[]): string {
  const result = spawnSync(program, args, { encoding: "utf8" });
  if (result.status !== 0) {
    throw new Error(`${program} ${args.join(" ")}: ${result.stderr}`);
  }
  return result.stdout;
}

/** PostgreSQL will not run as root; Debian's package makes a user for it. */
function asPostgres(program: string, args: readonly string[]): void {
  if (process.getuid?.() === 0) {
    run("setpriv", ["--reuid=postgres", "--regid=postgres", "--clear-groups", program, ...args]);
  } else {
    run(program, args);
  }
}

function installPostgres(): void {
  if (!existsSync(BIN)) {
    run("apt-get", ["update"]);
    run("apt-get", ["install", "-y", "--no-install-recommends", "postgresql-15"]);
  }
}

/** A fresh cluster in `folder`; answers the address of its database and what turns it off. */
function startPostgres(folder: string, port: number): { url: string; stop: () => void } {
  installPostgres();
  const data = path.join(folder, "pg");
  if (process.getuid?.() === 0) {
    chownSync(folder, Number(run("id", ["-u", "postgres"])), Number(run("id", ["-g", "postgres"])));
  }
  asPostgres(`${BIN}/initdb`, [
    "-D",
    data,
    "-U",
    "red",
    "-A",
    "trust",
    "-E",
    "UTF8",
    "--no-locale",
  ]);
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`;
  const log = path.join(folder, "pg.log");
  asPostgres(`${BIN}/pg_ctl`, ["-D", data, "-w", "-o", settings, "-l", log, "start"]);
  return {
    url: `postgres://red@127.0.0.1:${port}/postgres`,
    stop: () => asPostgres(`${BIN}/pg_ctl`, ["-D", data, "-m", "fast", "-w", "stop"]),
  };
}

test("two servers on one PostgreSQL 15 draw from one pool to exactly its end", async () => {
  test.setTimeout(300_000);
  const folder = mkdtempSync(path.join(tmpdir(), "red-two-"));
  const postgres = startPostgres(folder, await freePort());
  const ports = [await freePort(), await freePort()];
  const environment = (port: number) => ({
    PORT: String(port),
    DATA_DIR: path.join(folder, `data-${port}`),
    DATABASE_URL: postgres.url,
    SECRET_KEY: "both servers open what the other has sealed",
    LOG_LEVEL: "warn",
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
  });
  const bases = ports.map((port) => `http://127.0.0.1:${port}`);
  const systems = [];
  for (const [at, port] of ports.entries()) {
    const base = bases[at] ?? "";
    const own = path.join(folder, `data-${port}`);
    systems.push(await startSystem("node tools/start.mjs", ROOT, environment(port), base, own));
  }
  const [first = "", second = ""] = bases;
  const redctl = (args: string) =>
    runRedctl("node tools/redctl.mjs", ROOT, environment(ports[0] ?? 0), args);
  const key = parsed((await redctl("keys create --name two --scopes ingest,draw --json")).out);
  const signer = { key: textAt(key, "key"), secret: textAt(key, "secret") };
  const platforms = [platformOf(first, signer), platformOf(second, signer)] as const;

  // Signed in at one, known at the other.
  const login = { ...ADMIN, pid: "2" };
  const asked = await operatorCall(first, "POST", "/oauth/login", login);
  const code = codeOf(textAt(asked.data, "secret"), stepAt(Date.now()));
  const bound = await operatorCall(first, "POST", "/oauth/login", { ...login, code });
  const operator = operatorOf(second, textAt(bound.data, "access_token"));
  const rounds_id = await makeOpenRound(operator, "两台", STOCK);
  const players = Array.from({ length: ASKED }, (_, at) => ({
    player_id: `two-${at}`,
    user_name: `two-${at}`,
  }));
  await platforms[0].call("POST", "/open/v1/players", { players });

  const answers = await inFlight(players, 64, ({ player_id }, at) =>
    platforms[at % 2 === 0 ? 0 : 1].draw(askFor(rounds_id, player_id)),
  );
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(STOCK);
  expect(answers.filter((answer) => answer.code === "sold_out")).toHaveLength(ASKED - STOCK);
  expect(await operator.records(rounds_id)).toHaveLength(STOCK);
  const verified = await redctl("verify --json");
  expect(dig(parsed(verified.out), "ok"), verified.out).toBe(true);

  for (const system of systems) {
    expect((await system.stop()).code).toBe(0);
  }
  postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});
