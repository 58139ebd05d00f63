/** Programs that tests start; each prints its port. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

export const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));

/** Ends a process and waits for its end. Does nothing if it has ended already. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL") {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, "exit");
    child.kill(signal);
    await exit;
  }
}

/** The first line that a process prints; throws if it ends before. */
export async function firstLineOf(
  child: ChildProcess & { readonly stdout: Readable },
  name: string,
): Promise<string> {
  const ended = once(child, "exit").then(() => {
    throw new Error(`${name} ended at once`);
  });
  const first = once(createInterface(child.stdout), "line");
  return ((await Promise.race([first, ended])) as [string])[0];
}

export interface ListeningProcess {
  readonly url: string;
  /** Kills it like a crash (SIGKILL), or with another signal. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a program with only the given environment; resolves with its loopback address once it prints a port. */
export async function startListening(
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<ListeningProcess> {
  const child = spawn(process.execPath, ["--import", "tsx", file], {
    cwd: REPOSITORY,
    env: { PATH: process.env["PATH"] ?? "", PORT: "0", ...environment },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const line = await firstLineOf(child, file);
  const port = /"port":(\d+)|127\.0\.0\.1:(\d+)/.exec(line)?.slice(1).find(Boolean);
  return {
    url: `http://127.0.0.1:${port ?? line}`,
    stop: (signal) => endProcess(child, signal),
  };
}
