/**
 * An anchor is the hash of the chain's last block, stored outside the database. If someone rewrites the chain
 * later, the anchors no longer match (behaviour §5).
 */
import { appendFile, open, readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod/mini";
import type { SealedList } from "./seal-sql.ts";

const anchor = z.object({
  no: z.int(),
  /** SHA-256 as hex. */
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  at: z.string(),
});
export type Anchor = z.output<typeof anchor>;

/**
 * Written after a restore: the chain ends again at this block (0 means no block), and anchors of later blocks are void.
 */
const restore = z.object({ restored_to: z.int(), at: z.string() });

const anchorLine = z.union([anchor, restore]);

const FILES = { draw_record: "anchors.jsonl", audit_log: "audit-anchors.jsonl" } as const;

export function anchorFile(dataDir: string, list: SealedList = "draw_record"): string {
  return path.join(dataDir, FILES[list]);
}

/** Appends a line to the file. Resolves when the line is on the disk. */
export async function appendAnchor(file: string, line: z.output<typeof anchorLine>): Promise<void> {
  const handle = await open(file, "a", 0o600);
  try {
    await appendFile(handle, `${JSON.stringify(line)}\n`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/**
 * Returns the anchors that still belong to this chain, oldest first; an empty list if there is no file. Ignores a
 * last line that a crash cut short. Throws if any other line is not an anchor.
 */
export async function readAnchors(file: string): Promise<Anchor[]> {
  let anchors: Anchor[] = [];
  const content = await readFile(file, "utf8").catch((fault: unknown) => {
    if (fault instanceof Error && "code" in fault && fault.code === "ENOENT") {
      return "";
    }
    throw fault;
  });
  // Text after the last line break is an unfinished line.
  for (const [index, text] of content.split("\n").slice(0, -1).entries()) {
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
