/** A process that is killed and started again: its role, and the process that holds it now. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

const START_MS = 120_000;

export interface Part {
  readonly name: string;
  /** Program and parameters. */
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Is it ready, given its first printed line? Without one it is ready once started. */
  readonly isReady?: (line: string | null) => Promise<boolean>;
  /** Does it shut down when its standard input ends, instead of by a signal? */
  readonly endsWithInput?: boolean;
}

/** Killed when this process ends: nothing outlives the run. */
const started = new Set<ChildProcess>();
process.once("exit", () => started.forEach((child) => child.kill("SIGKILL")));

export function member(part: Part) {
  const { name, command, env, isReady = async () => true, endsWithInput = false } = part;
  let child: ChildProcess | null = null;
  let output = "";
  let first: string | null = null;

  function isUp(): boolean {
    return child !== null && child.exitCode === null && child.signalCode === null;
  }

  function spawnOne(): void {
    first = null;
    let spoken = "";
    const [program, ...parameters] = command;
    const made = spawn(program, parameters, {
      env: { PATH: process.env["PATH"] ?? "", ...env },
      // The pipe to its standard input ends with this process, however that ends.
      stdio: ["pipe", "pipe", "pipe"],
    });
    if (!endsWithInput) {
      started.add(made);
    }
    made.once("exit", () => started.delete(made));
    made.stdout.on("data", (chunk: Buffer) => {
      spoken += chunk.toString("utf8");
      first ??= spoken.includes("\n") ? (spoken.split("\n", 1)[0] ?? null) : null;
    });
    for (const stream of [made.stdout, made.stderr]) {
      stream.on(
        "data",
        (chunk: Buffer) => (output = (output + chunk.toString("utf8")).slice(-6_000)),
      );
    }
    // It may be killed during a write.
    made.stdin.on("error", () => {});
    child = made;
  }

  return {
    name,
    /** First printed line of the current process. */
    line: () => first,
    isUp,
    /** Its latest output. */
    output: () => output,
    /** Starts a process, repeatedly until one is ready; does nothing when one is up. */
    async start(): Promise<void> {
      const giveUp = Date.now() + START_MS;
      while (!isUp() || !(await isReady(first))) {
        if (Date.now() > giveUp) {
          throw new Error(`${name} did not start: ${output}`);
        }
        if (!isUp()) {
          spawnOne();
        }
        await sleep(25);
      }
    },
    signal: (signal: "SIGKILL" | "SIGTERM" | "SIGSTOP" | "SIGCONT") => void child?.kill(signal),
    /** Asks it to shut down. */
    leave: () => void (endsWithInput ? child?.stdin?.end() : child?.kill("SIGTERM")),
    /** Waits up to `ms` for the process to end; answers whether it has. */
    async ended(ms: number): Promise<boolean> {
      if (child !== null && isUp()) {
        const patience = new AbortController();
        const { signal } = patience;
        await Promise.race([
          once(child, "exit", { signal }).catch(() => {}),
          sleep(ms, undefined, { signal }).catch(() => {}),
        ]);
        patience.abort();
      }
      return !isUp();
    },
  };
}
