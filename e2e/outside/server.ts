/** Starts the system as its user would, kills it, and runs its command line. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { dig } from "./json.ts";

const START_MS = 240_000;

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = Number(dig(server.address(), "port"));
  server.close();
  await once(server, "close");
  return port;
}

async function isReady(base: string): Promise<boolean> {
  try {
    return (await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

/** Starts `command` in `directory`; resolves when `/readyz` says so. */
export async function startSystem(
  command: string,
  directory: string,
  environment: Readonly<Record<string, string>>,
  base: string,
) {
  // A group of its own, so that a crash takes every process of the system, the database included.
  const child = spawn("/bin/sh", ["-c", `exec ${command}`], {
    cwd: directory,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  // Nothing that was started outlives the run.
  process.once("exit", () => killGroup(child));
  let output = "";
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString("utf8")).slice(-4_000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const giveUp = Date.now() + START_MS;
  while (!(await isReady(base))) {
    if (child.exitCode !== null || Date.now() > giveUp) {
      throw new Error(`the system did not start: ${output}`);
    }
    await sleep(200);
  }
  return {
    /** kill -9 of the server process, or of it and everything that it started. */
    async crash(what: "server" | "everything"): Promise<void> {
      if (what === "server") {
        child.kill("SIGKILL");
      } else {
        killGroup(child);
      }
      await ended(child);
    },
    /** SIGTERM; answers the exit status and how long it took, in milliseconds. */
    async stop(): Promise<{ code: number | null; ms: number }> {
      const from = Date.now();
      child.kill("SIGTERM");
      await ended(child);
      return { code: child.exitCode, ms: Date.now() - from };
    },
    output: () => output,
  };
}

function killGroup(child: ChildProcess): void {
  try {
    process.kill(-Number(child.pid), "SIGKILL");
  } catch {
    // The whole group has ended already.
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, "exit");
  }
}

export type System = Awaited<ReturnType<typeof startSystem>>;

/** Runs the system's command line; answers exit status and what it printed. */
export async function runRedctl(
  command: string,
  directory: string,
  environment: Readonly<Record<string, string>>,
  args: string,
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn("/bin/sh", ["-c", `exec ${command} ${args}`], {
    cwd: directory,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString("utf8")));
  await once(child, "close");
  return { code: child.exitCode, out, err };
}
