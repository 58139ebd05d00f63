/** Ends a process of this package on a signal, and when its parent ends. */
import { fstatSync } from "node:fs";

const PARENT_LOOK_MS = 1_000;

function stdinIsPipe(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

/**
 * Calls `stop` once: on SIGTERM or SIGINT, when the parent closes our standard input, or when we get another
 * parent because ours was killed. The process exits 0 when `stop` is done.
 */
export function stopWithParent(stop: () => void | Promise<void>): void {
  const parent = process.ppid;
  let stopping = false;
  const end = () => {
    if (stopping) {
      return;
    }
    stopping = true;
    void Promise.resolve(stop()).then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  // A terminal or /dev/null says nothing about the parent; a pipe from it does.
  if (stdinIsPipe()) {
    process.stdin.on("end", end).on("error", end).resume();
  }
  setInterval(() => {
    if (process.ppid !== parent) {
      end();
    }
  }, PARENT_LOOK_MS).unref();
}
