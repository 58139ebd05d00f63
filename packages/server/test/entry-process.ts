/** Programs that tests start as processes of their own: they say on which port they listen. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The root of the repository. */
export const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));

export interface ListeningProcess {
  readonly child: ChildProcess;
  readonly url: string;
}

/**
 * Starts a program of the repository with nothing in its environment but what is given; resolves with
 * its address on loopback once it has printed `{"port":…}`. It ends with the running test.
 */
export async function startListening(
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<ListeningProcess> {
  const child = spawn(process.execPath, ["--import", "tsx", file], {
    cwd: REPOSITORY,
    env: { PATH: process.env["PATH"] ?? "", PORT: "0", ...environment },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
  });
  const ended = once(child, "exit").then(() => {
    throw new Error(`${file} ended at once`);
  });
  const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), ended])) as [
    string,
  ];
  const port = /"port":(\d+)/.exec(line)?.[1];
  return { child, url: `http://127.0.0.1:${port ?? line}` };
}
