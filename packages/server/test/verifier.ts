/** Seals records, and runs the scripts that check them from outside and share no code with the product. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { sealRecords } from "#evidence/seal-records";
import type { SealedBlock } from "#evidence/seal-records";
import type { SealedList } from "#evidence/seal-sql";
import { inTransaction } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import { REPOSITORY } from "#test/entry-process";
import { makeFolder } from "#test/folder";
import { afterAll } from "vitest";

/** Seals all waiting rows, in blocks of at most `limit`; returns the blocks. */
export async function sealAll(db: Db, limit?: number, list?: SealedList): Promise<SealedBlock[]> {
  const blocks: SealedBlock[] = [];
  for (;;) {
    const block = await inTransaction(db, (tx) => sealRecords(tx, 0, limit, list));
    if (block === null) {
      return blocks;
    }
    blocks.push(block);
  }
}

export interface Verdict {
  readonly code: number | string | null | undefined;
  readonly out: string;
}

/** Runs a program; the code is `ENOENT` if it is not installed. */
export async function runScript(program: string, words: readonly string[]): Promise<Verdict> {
  const options = { cwd: REPOSITORY, maxBuffer: 2 ** 26 };
  return await new Promise((resolve) => {
    execFile(program, words, options, (fault, out, err) =>
      resolve({ code: fault === null ? 0 : fault.code, out: out + err }),
    );
  });
}

/** Writes values as JSON lines, texts unchanged; returns the path. The files are deleted after the tests of the file. */
export function useLineFiles(): (values: readonly unknown[]) => string {
  const folder = makeFolder(afterAll);
  let made = 0;
  return (values) => {
    made += 1;
    const file = path.join(folder, `${made}.jsonl`);
    const textOf = (value: unknown) =>
      typeof value === "string" ? value : `${JSON.stringify(value)}\n`;
    writeFileSync(file, values.map(textOf).join(""));
    return file;
  };
}
