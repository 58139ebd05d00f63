/** The bundled server as a process of its own, on a test's database, and the memory that it takes. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ConnectionConfig } from "#platform/connection";
import { databaseUrl } from "#test/database-url";

const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));

export interface BundleProcess {
  readonly url: string;
  /** Megabytes held now; 0 where the system does not tell. */
  memory(): number;
  /** Most megabytes held at once since `forgetPeak`; 0 where the system does not tell. */
  peak(): number;
  forgetPeak(): void;
  /** Milliseconds of a processor that it has taken so far; 0 where the system does not tell. */
  processorMs(): number;
  stop(): Promise<void>;
}

const TELLS_MEMORY = existsSync("/proc/self/clear_refs");

function megabytes(pid: number, field: string): number {
  if (!TELLS_MEMORY) {
    return 0;
  }
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}

/** Of a processor, in the unit in which the kernel tells it: a hundredth of a second. */
function processorMs(pid: number): number {
  if (!TELLS_MEMORY) {
    return 0;
  }
  // The fields after the name, which may hold anything, in parentheses: time in user and system mode.
  const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return (user + system) * 10;
}

/** Builds what `npm start` runs, unless it is there, and starts it. */
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
  const ended = once(child, "exit");
  const { pid } = child;
  if (pid === undefined) {
    throw new Error("the server could not be started");
  }
  const said = new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      const url = /http:\/\/[\d.:]+/.exec(chunk.toString())?.[0];
      if (url === undefined) {
        // Of its log only what is wrong comes out.
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
        // Has the kernel count from here again.
        writeFileSync(`/proc/${pid}/clear_refs`, "5");
      }
    },
    processorMs: () => processorMs(pid),
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
