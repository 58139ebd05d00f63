/** Programs that tests start as processes of their own: they say on which port they listen. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));

export interface ListeningProcess {
  readonly url: string;
  /** Ends it at once, as a crash would, unless another signal is given. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts a program of the repository with nothing in its environment but what is given; resolves with
 * its address on loopback once its first line of output names a port.
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
  const ended = once(child, "exit").then(() => {
    throw new Error(`${file} ended at once`);
  });
  const first = once(createInterface(child.stdout), "line");
  // Lines of text.
  const [line] = (await Promise.race([first, ended])) as [string];
  const port = /"port":(\d+)|127\.0\.0\.1:(\d+)/.exec(line)?.slice(1).find(Boolean);
  return {
    url: `http://127.0.0.1:${port ?? line}`,
    async stop(signal = "SIGKILL") {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, "exit");
        child.kill(signal);
        await exit;
      }
    },
  };
}
