/** Processes that a bench works with, above all the server; they talk by lines of their input and output. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { ROOT, runCommand } from "../tools/run-command.ts";
import type { BenchDatabase } from "./database.ts";

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

/** Lets it end on its own terms. */
export async function stop({ child }: Side): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const end = once(child, "exit");
    child.kill("SIGTERM");
    await end;
  }
}

/** The server as `npm start` runs it; answers it with its port. */
export async function startServer(bench: BenchDatabase, dataDir: string, role = "all") {
  const { code, output } = await runCommand(process.execPath, ["tools/build.mjs", "server"]);
  if (code !== 0) {
    throw new Error(output);
  }
  const server = start(["--enable-source-maps", path.join(ROOT, "packages/server/dist/main.js")], {
    PATH: process.env["PATH"],
    DATABASE_URL: bench.url,
    DATA_DIR: dataDir,
    DEMO: "off",
    ROLE: role,
    PORT: "0",
    LOG_LEVEL: "warn",
  });
  const greeting = await server.ask();
  const port = Number(/:(\d+)\//.exec(greeting)?.[1]);
  return { server, port };
}
