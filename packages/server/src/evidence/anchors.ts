/**
 * Anchors: what the chain's end was, kept outside the database (behaviour §5). Who can rewrite the
 * whole chain, or cut it, still cannot rewrite this file, nor the copies that were made of it.
 */
import { appendFile, open, readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod/mini";

const anchor = z.object({
  no: z.int(),
  /** Hex. */
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  at: z.string(),
});
export type Anchor = z.output<typeof anchor>;

/** A backup was put back: the chain ends at this block again, and what was anchored after it is gone. */
const restore = z.object({ restored_to: z.int(), at: z.string() });

const anchorLine = z.union([anchor, restore]);

/** Where a data folder keeps its anchors. */
export function anchorFile(dataDir: string): string {
  return path.join(dataDir, "anchors.jsonl");
}

async function append(file: string, line: z.output<typeof anchorLine>): Promise<void> {
  const handle = await open(file, "a", 0o600);
  try {
    await appendFile(handle, `${JSON.stringify(line)}\n`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Appends an anchor; on the disk when it resolves. */
export async function appendAnchor(file: string, { no, hash, at }: Anchor): Promise<void> {
  await append(file, { no, hash, at });
}

/** Notes that the chain ends at block `no` again (0: it has none), because a backup was put back. */
export async function anchorRestore(file: string, no: number): Promise<void> {
  await append(file, { restored_to: no, at: new Date().toISOString() });
}

function isMissing(fault: unknown): boolean {
  return fault instanceof Error && "code" in fault && fault.code === "ENOENT";
}

async function readLines(file: string): Promise<string[]> {
  try {
    // What follows the last line break was never finished.
    const lines = (await readFile(file, "utf8")).split("\n").slice(0, -1);
    return lines;
  } catch (fault) {
    if (isMissing(fault)) {
      return [];
    }
    throw fault;
  }
}

/**
 * The anchors of a file in its order that are still of this chain, none when there is no file. A last
 * line that was cut short by a crash is left out; throws when any other line is no anchor.
 */
export async function readAnchors(file: string): Promise<Anchor[]> {
  let anchors: Anchor[] = [];
  for (const [index, text] of (await readLines(file)).entries()) {
    let line: z.output<typeof anchorLine>;
    try {
      line = anchorLine.parse(JSON.parse(text));
    } catch {
      throw new Error(`${file}: line ${index + 1} is no anchor`);
    }
    if ("no" in line) {
      anchors.push(line);
    } else {
      const { restored_to } = line;
      anchors = anchors.filter(({ no }) => no <= restored_to);
    }
  }
  return anchors;
}
