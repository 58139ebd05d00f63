/** Starts the system like a user, stops it, and runs its command line. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { dig } from "./json.ts";
import type { Key } from "./signature.ts";

const START_MS = 240_000;

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = Number(dig(server.address(), "port"));
  server.close();
  await once(server, "close");
  return port;
}

/** A folder for one run, to be removed by the caller. */
export function makeFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  // The database may run under another account, which must be able to enter.
  chmodSync(folder, 0o755);
  return folder;
}

/** Environment of a separate system without demonstration, which pays through `wallet`. */
export function environmentOf(
  folder: string,
  port: number,
  admin: { readonly username: string; readonly password: string },
  wallet: Key & { readonly url: string },
): Record<string, string> {
  return {
    PORT: String(port),
    HOST: "127.0.0.1",
    DATA_DIR: join(folder, "data"),
    DEMO: "off",
    BUSINESS_TZ: "Asia/Shanghai",
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password,
    WALLET_URL: wallet.url,
    WALLET_KEY: wallet.key,
    WALLET_SECRET: wallet.secret,
    LOG_LEVEL: "warn",
  };
}

/** True when the system at `base` takes calls. */
export async function isReady(base: string): Promise<boolean> {
  try {
    return (await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

/** Starts it as users do; resolves when `/readyz` answers. `folder` holds its data, and only its own. */
export async function startSystem(
  environment: Readonly<Record<string, string>>,
  base: string,
  folder: string,
) {
  if (await isReady(base)) {
    throw new Error(`somebody else answers at ${base}`);
  }
  const child = spawn("node", ["tools/start.mjs"], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  // Nothing outlives the run.
  process.once("exit", () => killAll(child, folder));
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
    /** SIGTERM; answers exit status and duration in milliseconds. */
    async stop(): Promise<{ code: number | null; ms: number }> {
      const from = Date.now();
      child.kill("SIGTERM");
      await ended(child);
      return { code: child.exitCode, ms: Date.now() - from };
    },
    output: () => output,
  };
}

/** Processes with the folder in their command line: its database. */
function processesAt(folder: string): number[] {
  const all = existsSync("/proc/self/cmdline") ? readdirSync("/proc") : [];
  return all
    .filter((name) => {
      try {
        const line = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/cmdline`, "utf8") : "";
        return line.includes(folder) && Number(name) !== process.pid;
      } catch {
        return false;
      }
    })
    .map(Number);
}

function killAll(child: ChildProcess, folder: string): void {
  for (const pid of [...processesAt(folder), -Number(child.pid)]) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, "exit");
  }
}

export type System = Awaited<ReturnType<typeof startSystem>>;

/** Runs redctl of the tree in `directory`; answers exit status and output. */
export async function runRedctl(
  directory: string,
  environment: Readonly<Record<string, string>>,
  args: string,
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn("/bin/sh", ["-c", `exec node tools/redctl.mjs ${args}`], {
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
