/**
 * An append-only file of JSON lines, on disk before they are acknowledged. Lines that arrive during a sync
 * share the next one.
 */
import { mkdir, open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";

export interface Ledger {
  /** Resolves when the line is on disk. */
  append(line: object): Promise<void>;
  /** Resolves when all lines so far are on disk. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Reads existing lines. A last line without a line end was cut by a crash before it was acknowledged, and is
 * removed. Throws on a line that is not JSON.
 */
async function replayInto(handle: FileHandle, replay: (line: unknown) => void): Promise<void> {
  const content = await handle.readFile();
  const whole = content.lastIndexOf(0x0a) + 1;
  if (whole < content.length) {
    await handle.truncate(whole);
    await handle.datasync();
  }
  for (const line of content.subarray(0, whole).toString("utf8").split("\n")) {
    if (line !== "") {
      replay(JSON.parse(line));
    }
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/**
 * Opens or creates the file and passes existing lines to `replay`, in order. Calls `failed` when a line
 * cannot be written; nothing is written after that.
 */
export async function openLedger(
  file: string,
  replay: (line: unknown) => void,
  failed: (error: unknown) => never,
): Promise<Ledger> {
  await mkdir(dirname(file), { recursive: true });
  const handle = await open(file, "a+");
  await replayInto(handle, replay);
  await syncDirectory(dirname(file));

  let waiting: string[] = [];
  let next: Promise<void> | null = null;
  let last: Promise<void> = Promise.resolve();

  async function write(before: Promise<void>): Promise<void> {
    await before;
    const lines = waiting.join("");
    waiting = [];
    next = null;
    try {
      await handle.appendFile(lines);
      await handle.datasync();
    } catch (error) {
      failed(error);
    }
  }

  return {
    append(line) {
      waiting.push(`${JSON.stringify(line)}\n`);
      if (next === null) {
        next = write(last);
        last = next;
      }
      return next;
    },
    settled: () => last,
    async close() {
      await last;
      await handle.close();
    },
  };
}
