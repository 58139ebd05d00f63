/**
 * Anchors: what the chain's end was, kept outside the database (behaviour §5). Who can rewrite the
 * whole chain, or cut it, still cannot rewrite this file, nor the copies that were made of it.
 */
import { appendFile, open, readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod/mini";

const anchorLine = z.object({
  no: z.int(),
  /** Hex. */
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  at: z.string(),
});
export type Anchor = z.output<typeof anchorLine>;

/** Where a data folder keeps its anchors. */
export function anchorFile(dataDir: string): string {
  return path.join(dataDir, "anchors.jsonl");
}

/** Appends an anchor; on the disk when it resolves. */
export async function appendAnchor(file: string, anchor: Anchor): Promise<void> {
  const handle = await open(file, "a", 0o600);
  try {
    await appendFile(handle, `${JSON.stringify(anchor)}\n`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

function isMissing(fault: unknown): boolean {
  return fault instanceof Error && "code" in fault && fault.code === "ENOENT";
}

/**
 * The anchors of a file in its order, none when there is no file. A last line that was cut short by a
 * crash is left out; throws when any other line is no anchor.
 */
export async function readAnchors(file: string): Promise<Anchor[]> {
  let text = "";
  try {
    text = await readFile(file, "utf8");
  } catch (fault) {
    if (!isMissing(fault)) {
      throw fault;
    }
  }
  // What follows the last line break was never finished.
  return text
    .split("\n")
    .slice(0, -1)
    .filter((line) => line !== "")
    .map((line, index) => {
      try {
        return anchorLine.parse(JSON.parse(line));
      } catch {
        throw new Error(`${file}: line ${index + 1} is no anchor`);
      }
    });
}
