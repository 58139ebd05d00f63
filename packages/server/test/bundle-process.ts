/** The bundled server as a process on a test's database, with its memory use. */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { ConnectionConfig } from "#platform/db/connection";
import { databaseUrl } from "#test/database-url";
import { endProcess, REPOSITORY } from "#test/entry-process";

export interface BundleProcess {
  readonly url: string;
  /** Megabytes; 0 where the system does not report it. */
  memory(): number;
  /** Peak megabytes since `forgetPeak`; 0 where the system does not report it. */
  peak(): number;
  forgetPeak(): void;
  /** Milliseconds of processor time; 0 where the system does not report it. */
  processorMs(): number;
  stop(): Promise<void>;
  /** Kills it (SIGKILL); does nothing after its end. */
  kill(): Promise<void>;
}

const TELLS_MEMORY = existsSync("/proc/self/clear_refs");

function megabytes(pid: number, field: string): number {
  if (!TELLS_MEMORY) {
    return 0;
  }
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}

function processorMs(pid: number): number {
  if (!TELLS_MEMORY) {
    return 0;
  }
  // Skip the name in parentheses, which may contain anything; then user and system time in 1/100 s.
  const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return (user + system) * 10;
}

/** Starts what `npm start` runs; builds it first if needed. */
export async function startBundle(
  connection: ConnectionConfig,
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<BundleProcess> {
  execFileSync(process.execPath, ["tools/build.mjs", "server"], { cwd: REPOSITORY });
  const child = spawn(process.execPath, ["packages/server/dist/main.js"], {
    cwd: REPOSITORY,
    env: {
      PATH: process.env["PATH"],
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl(connection),
      PORT: "0",
      LOG_LEVEL: "warn",
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { pid } = child;
  if (pid === undefined) {
    throw new Error("the server could not be started");
  }
  const said = new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      const url = /http:\/\/[\d.:]+/.exec(chunk.toString())?.[0];
      if (url === undefined) {
        // Print only errors of its log.
        process.stderr.write(chunk);
      } else {
        resolve(url);
      }
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return {
    url: await said,
    memory: () => megabytes(pid, "VmRSS"),
    peak: () => megabytes(pid, "VmHWM"),
    forgetPeak() {
      if (TELLS_MEMORY) {
        writeFileSync(`/proc/${pid}/clear_refs`, "5");
      }
    },
    processorMs: () => processorMs(pid),
    stop: () => endProcess(child, "SIGTERM"),
    kill: () => endProcess(child),
  };
}
