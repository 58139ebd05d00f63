/**
 * The file of a backup: gzip over lines. The first is JSON and says what follows; then, table by
 * table, a JSON line with its name, its rows as COPY writes them, and a line `\.`; the last line is
 * JSON with the number of rows and the SHA-256 of all lines before it. Nothing of a file is taken
 * before that last line was found right.
 */
import { createHash } from "node:crypto";
import type { Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import * as z from "zod/mini";

/** Raised when a line comes to mean something else. */
export const BACKUP_FORMAT = 1;

export const backupHead = z.object({
  kind: z.literal("red-packet backup"),
  format: z.literal(BACKUP_FORMAT),
  /** RFC 3339, by the database's clock. */
  made_at: z.string(),
  migrations: z.array(z.string()),
  partitions: z.array(z.object({ parent: z.string(), name: z.string() })),
});
export type BackupHead = z.output<typeof backupHead>;

export const backupTable = z.object({ table: z.string(), columns: z.array(z.string()) });

const backupEnd = z.object({ rows: z.int(), sha256: z.string() });

export const TABLE_END = "\\.";

/** Lines on their way into a file, counted and hashed. */
export interface BackupLines {
  head(head: BackupHead): string;
  table(table: z.output<typeof backupTable>): string;
  /** Whole rows, each with its line break. */
  rows(chunk: Buffer): Buffer;
  tableEnd(): string;
  end(): string;
  /** Rows so far. */
  count(): number;
}

/** Makes the lines of one file, in their order. */
export function backupLines(): BackupLines {
  const hash = createHash("sha256");
  let rows = 0;
  const line = (text: string) => {
    hash.update(`${text}\n`);
    return `${text}\n`;
  };
  return {
    head: (head) => line(JSON.stringify(head)),
    table: (table) => line(JSON.stringify(table)),
    rows: (chunk) => {
      hash.update(chunk);
      for (const byte of chunk) {
        rows += byte === 10 ? 1 : 0;
      }
      return chunk;
    },
    tableEnd: () => line(TABLE_END),
    end: () => `${JSON.stringify({ rows, sha256: hash.digest("hex") })}\n`,
    count: () => rows,
  };
}

/** What a reader of the file does with it, in the order of its lines. */
export interface BackupReader {
  head(head: BackupHead): Promise<void>;
  /** Answers what takes the table's rows. */
  table(table: z.output<typeof backupTable>): Promise<(row: string) => Promise<void>>;
  tableEnd(): Promise<void>;
}

const NO_BACKUP = "this is no backup of this program, or it is damaged";

function parsed<T extends z.ZodMiniType>(schema: T, line: string): z.output<T> {
  try {
    return schema.parse(JSON.parse(line));
  } catch {
    throw new Error(NO_BACKUP);
  }
}

function checkEnd(line: string, rows: number, hash: Hash): void {
  const end = parsed(backupEnd, line);
  if (end.rows !== rows || end.sha256 !== hash.digest("hex")) {
    throw new Error("the backup is damaged: its content is not what was written");
  }
}

/** The lines of a zipped file. Only a line feed ends one: names may hold whatever else ends lines. */
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

/**
 * Reads a backup and tells `reader`; answers the number of rows. Throws when it is none, is damaged
 * or ends too early: what `reader` did has to be undone then.
 */
export async function readBackup(file: string, reader: BackupReader): Promise<number> {
  const hash = createHash("sha256");
  let rows = 0;
  let takeRow: ((row: string) => Promise<void>) | null = null;
  let isHeadRead = false;
  let isEnded = false;
  for await (const line of linesOf(file)) {
    if (isEnded) {
      throw new Error(NO_BACKUP);
    }
    if (isHeadRead && takeRow === null && !line.includes('"table"')) {
      checkEnd(line, rows, hash);
      isEnded = true;
      continue;
    }
    hash.update(`${line}\n`);
    if (takeRow !== null && line !== TABLE_END) {
      rows += 1;
      await takeRow(line);
    } else if (takeRow !== null) {
      takeRow = null;
      await reader.tableEnd();
    } else if (isHeadRead) {
      takeRow = await reader.table(parsed(backupTable, line));
    } else {
      await reader.head(parsed(backupHead, line));
      isHeadRead = true;
    }
  }
  if (!isEnded) {
    throw new Error("the backup ends too early: it was not written to its end");
  }
  return rows;
}
