/** A process that is killed and started again: its place on the stage, and who stands in it now. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

const START_MS = 120_000;

export interface Part {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Is it there for others, given the first line that it has printed? */
  readonly isReady: (line: string | null) => Promise<boolean>;
  /** Does it end, in good order, when its standard input does? */
  readonly endsWithInput: boolean;
}

export interface Member {
  readonly name: string;
  /** The first line that the process in it now has printed. */
  line(): string | null;
  isUp(): boolean;
  /** Starts a process, again and again until one is ready; does nothing when one is up. */
  start(): Promise<void>;
  signal(signal: "SIGKILL" | "SIGTERM"): void;
  /** Asks it to end in good order. */
  leave(): void;
  /** Resolves when the process has ended, at the latest after `ms`; answers whether it has. */
  ended(ms: number): Promise<boolean>;
  /** The last that it said, for people. */
  output(): string;
}

/** Those that have to be ended when this process ends: nothing that was started outlives the run. */
const started = new Set<ChildProcess>();
process.once("exit", () => started.forEach((child) => child.kill("SIGKILL")));

export function member({ name, parameters, env, isReady, endsWithInput }: Part): Member {
  let child: ChildProcess | null = null;
  let output = "";
  let first: string | null = null;

  function isUp(): boolean {
    return child !== null && child.exitCode === null && child.signalCode === null;
  }

  function spawnOne(): void {
    first = null;
    let spoken = "";
    const made = spawn(process.execPath, parameters, {
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
    // It may be killed while somebody writes to it.
    made.stdin.on("error", () => {});
    child = made;
  }

  return {
    name,
    line: () => first,
    isUp,
    output: () => output,
    async start() {
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
    signal: (signal) => void child?.kill(signal),
    leave: () => void (endsWithInput ? child?.stdin?.end() : child?.kill("SIGTERM")),
    async ended(ms) {
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
