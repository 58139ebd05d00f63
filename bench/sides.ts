/** The processes of a bench over HTTP: what answers and what calls, each driven by lines. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createKey } from "../packages/server/src/identity/change-key.ts";
import { ensureSecretKey } from "../packages/server/src/platform/config.ts";
import { inTransaction } from "../packages/server/src/platform/db/connection.ts";
import { secretBox } from "../packages/server/src/platform/secret-box.ts";
import { ROOT, runCommand } from "../tools/run-command.ts";
import { runBench } from "./database.ts";
import type { BenchDatabase } from "./database.ts";
import type { Answered, Load } from "./draws-http-client.ts";

export interface Side {
  readonly child: ChildProcess;
  /** The next line of its output, after `input` was sent to it. */
  ask(input?: string): Promise<string>;
}

export function start(words: readonly string[], env: NodeJS.ProcessEnv = process.env): Side {
  const child = spawn(process.execPath, words, { env, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    child,
    async ask(input) {
      if (input !== undefined) {
        child.stdin.write(`${input}\n`);
      }
      const { value, done } = await lines.next();
      if (done === true) {
        throw new Error(`a process of the bench has ended: ${words.join(" ")}`);
      }
      return value;
    },
  };
}

export async function stop({ child }: Side): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const end = once(child, "exit");
    child.kill("SIGTERM");
    await end;
  }
}

/** Runs a program from its source; `name` is relative to this folder, without its ending. */
export const source = (name: string) => [
  "--import",
  "tsx",
  fileURLToPath(new URL(`./${name}.ts`, import.meta.url)),
];

/** Builds these parts, by default all. */
export async function build(...parts: readonly string[]): Promise<void> {
  const { code, output } = await runCommand(process.execPath, ["tools/build.mjs", ...parts]);
  if (code !== 0) {
    throw new Error(output);
  }
}

/** The built server as `npm start` runs it, on the database at `url`; answers it with its port. */
export async function startServer(url: string, dataDir: string, env: NodeJS.ProcessEnv = {}) {
  const server = start(["--enable-source-maps", path.join(ROOT, "packages/server/dist/main.js")], {
    PATH: process.env["PATH"],
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    DEMO: "off",
    PORT: "0",
    LOG_LEVEL: "warn",
    ...env,
  });
  const greeting = await server.ask();
  const port = Number(/:(\d+)\//.exec(greeting)?.[1]);
  return { server, port };
}

const ACTOR = { kind: "system", name: "bench", request_id: null, address: null } as const;

/** Server, client and database of a bench over HTTP; they end with it. */
function stageOf(bench: BenchDatabase, dataDir: string, sides: Side[]) {
  const startSide = (words: readonly string[], env?: NodeJS.ProcessEnv) => {
    const side = start(words, env);
    sides.push(side);
    return side;
  };
  return {
    bench,
    dataDir,
    /** Starts a process. */
    start: startSide,
    /** The built server as `npm start` runs it; answers it with its port. */
    async startServer(env?: NodeJS.ProcessEnv) {
      const started = await startServer(bench.url, dataDir, env);
      sides.push(started.server);
      return started;
    },
    /** A client in a process of its own; answers what sends a load, signed by one key. */
    async openClient() {
      const given = { name: "bench", scopes: ["ingest", "draw", "read"] };
      const secrets = secretBox(ensureSecretKey(dataDir));
      const key = await inTransaction(bench.db, (tx) => createKey(tx, ACTOR, secrets, given));
      const client = startSide(source("draws-http-client"));
      return async (load: Omit<Load, "key" | "secret">): Promise<Answered> => {
        // The client wrote the line.
        return JSON.parse(await client.ask(JSON.stringify({ ...load, ...key }))) as Answered;
      };
    },
  };
}

export type Stage = ReturnType<typeof stageOf>;

/** Runs a bench over HTTP, with an empty database and folder, to its exit code. */
export async function runOnStage(main: (stage: Stage) => Promise<number>): Promise<void> {
  await runBench(async (bench, dataDir) => {
    const sides: Side[] = [];
    try {
      await build("server");
      return await main(stageOf(bench, dataDir, sides));
    } finally {
      await Promise.all(sides.map(stop));
    }
  });
}
