/** Runs a program of the project or the system and collects its output. */
import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../", import.meta.url));

export interface CommandOptions {
  readonly cwd?: string;
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Killed after this many milliseconds. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface CommandResult {
  /** Null when it was killed, or not found. */
  readonly code: number | null;
  /** Both streams, in order of arrival. */
  readonly output: string;
}

/** Never rejects: a program that cannot be started counts as failed. */
export function runCommand(
  program: string,
  parameters: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(program, parameters, {
      cwd: options.cwd ?? ROOT,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: options.timeoutMs ?? 0,
      killSignal: "SIGKILL",
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    let output = "";
    const keep = (chunk: string) => {
      output += chunk;
    };
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    child.once("error", (error) => resolve({ code: null, output: `${output}${error.message}` }));
    child.once("close", (code, signal) => {
      const end = signal === null ? "" : `\n(ended by ${signal})`;
      resolve({ code, output: `${output}${end}` });
    });
  });
}

/** Runs a program on this terminal, with `env` added; answers its exit code, 1 when it cannot be started. */
export function runHere(
  program: string,
  parameters: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const options = { cwd: ROOT, env: { ...process.env, ...env }, stdio: "inherit" } as const;
  return new Promise((resolve) => {
    spawn(program, parameters, options)
      .once("error", () => resolve(1))
      .once("close", (code) => resolve(code ?? 1));
  });
}

/** Path of a program installed by npm. */
export function installed(name: string): string {
  return path.join(ROOT, "node_modules/.bin", name);
}
