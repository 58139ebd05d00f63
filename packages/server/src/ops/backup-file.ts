/**
 * The backup file is gzip over lines. The first line is a JSON header. Each table has a JSON line with its
 * name, its rows in COPY format, and a line `\.`. The last line is JSON with the number of rows and the
 * SHA-256 of all lines before it; nothing in the file is valid until that line has been checked.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import * as z from "zod/mini";

/** Must increase when the meaning of a line changes. */
export const BACKUP_FORMAT = 1;

export const backupHead = z.object({
  kind: z.literal("red-packet backup"),
  format: z.literal(BACKUP_FORMAT),
  /** RFC 3339, by the database clock. */
  made_at: z.string(),
  migrations: z.array(z.string()),
  partitions: z.array(z.object({ parent: z.string(), name: z.string() })),
});
export type BackupHead = z.output<typeof backupHead>;

const backupTable = z.object({ table: z.string(), columns: z.array(z.string()) });

const backupEnd = z.object({ rows: z.int(), sha256: z.string() });

export const TABLE_END = "\\.";

/** Counts and hashes lines that are written or read. */
export function tally() {
  const hash = createHash("sha256");
  let rows = 0;
  return {
    add<T extends string | Buffer>(lines: T): T {
      hash.update(lines);
      return lines;
    },
    addRows<T extends string | Buffer>(lines: T): T {
      hash.update(lines);
      for (let at = lines.indexOf("\n"); at !== -1; at = lines.indexOf("\n", at + 1)) {
        rows += 1;
      }
      return lines;
    },
    /** Returns the last line. Add nothing after it. */
    end: (): z.output<typeof backupEnd> => ({ rows, sha256: hash.digest("hex") }),
  };
}

const NO_BACKUP = "this is no backup of this program, or it is damaged";

function parsed<T extends z.ZodMiniType>(schema: T, line: string): z.output<T> {
  try {
    return schema.parse(JSON.parse(line));
  } catch {
    throw new Error(NO_BACKUP);
  }
}

/** Splits only at line feeds, because names may contain other line breaks. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file);
  const unzipped = createGunzip().setEncoding("utf8");
  input.once("error", (fault) => unzipped.destroy(fault));
  let rest = "";
  for await (const chunk of input.pipe(unzipped)) {
    const lines = `${rest}${String(chunk)}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

export interface BackupRows {
  readonly table: string;
  readonly columns: readonly string[];
  /** Read all rows before asking for the next table. */
  rows(): AsyncGenerator<string>;
}

/**
 * Throws if the file is not a backup, is damaged or ends early. Then the caller must roll back everything
 * it did with the file.
 */
export async function openBackup(file: string) {
  const lines = linesOf(file);
  const { add, addRows, end } = tally();

  async function next(): Promise<string> {
    const { value, done } = await lines.next();
    if (done === true) {
      throw new Error("the backup ends too early: it was not written to its end");
    }
    return value;
  }

  async function* rows(): AsyncGenerator<string> {
    for (let line = await next(); line !== TABLE_END; line = await next()) {
      yield addRows(`${line}\n`);
    }
    add(`${TABLE_END}\n`);
  }

  async function* tables(): AsyncGenerator<BackupRows> {
    let line = await next();
    for (; line.includes('"table"'); line = await next()) {
      yield { ...parsed(backupTable, add(`${line}\n`)), rows };
    }
    const written = parsed(backupEnd, line);
    const read = end();
    if (written.rows !== read.rows || written.sha256 !== read.sha256) {
      throw new Error("the backup is damaged: its content is not what was written");
    }
    if ((await lines.next()).done !== true) {
      throw new Error(NO_BACKUP);
    }
  }

  return { head: parsed(backupHead, add(`${await next()}\n`).trimEnd()), tables };
}
