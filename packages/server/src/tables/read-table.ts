/**
 * Reads an untrusted table in a separate thread with limited memory, one file at a time. The file's size, packed and
 * unpacked, limits the cost (read-workbook.ts), so slow and fast machines accept the same files.
 */
import { Worker } from "node:worker_threads";
import { AppError } from "@red/contract/platform/errors";
import type { ErrorKey, TextValues } from "@red/contract/platform/errors";
import type { ReadTable, TableColumn } from "./parse-table.ts";

export interface TableRequest {
  readonly bytes: Uint8Array;
  readonly columns: readonly TableColumn[];
  readonly rowsMax: number;
}

/** The thread first reports that it has started, then sends the result. */
export type TableReply =
  | { readonly started: true }
  | { readonly table: ReadTable }
  | { readonly refused: { readonly key: ErrorKey; readonly values: TextValues } };

/** Reading within the limits takes a second or two, so a timeout means a busy machine, not a bad file. */
const GIVE_UP_MS = 30_000;

const LIMITS = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8 };

/** The bundle starts a bundled thread. The source starts a source file through a loader. */
const FROM_SOURCE = import.meta.url.endsWith(".ts");
const ENTRY = FROM_SOURCE ? "./table-worker-source.mjs" : "./table-worker.js";

function startWorker(request: TableRequest): Worker {
  return new Worker(new URL(ENTRY, import.meta.url), {
    workerData: request,
    resourceLimits: LIMITS,
    execArgv: [],
    // Hides what the library prints about odd files.
    stdout: true,
    stderr: true,
  });
}

function isOutOfMemory(fault: unknown): boolean {
  return fault instanceof Error && "code" in fault && fault.code === "ERR_WORKER_OUT_OF_MEMORY";
}

async function runWorker(request: TableRequest, give_up_ms: number): Promise<ReadTable> {
  const worker = startWorker(request);
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<ReadTable>((resolve, reject) => {
      worker.on("message", (reply: TableReply) => {
        if ("started" in reply) {
          timer = setTimeout(() => reject(new AppError("unavailable")), give_up_ms);
        } else if ("table" in reply) {
          resolve(reply.table);
        } else {
          reject(new AppError(reply.refused.key, reply.refused.values));
        }
      });
      worker.once("error", (fault) => {
        if (isOutOfMemory(fault)) {
          reject(new AppError("upload_too_complex"));
        } else {
          reject(fault instanceof Error ? fault : new Error(String(fault)));
        }
      });
      worker.once("exit", (code) => reject(new Error(`the reading thread ended with ${code}`)));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** The previous read. Each read waits for the read before it, so that memory is needed only once. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Reads an uploaded csv, xlsx or xls, whatever its name. Throws `upload_type`, `upload_encoding`, `upload_encrypted`,
 * `upload_broken`, `upload_too_complex`, `upload_too_many_rows`, `upload_empty`, or `unavailable` after `give_up_ms`.
 * The result contains the faults of single cells.
 */
export async function readTable(
  bytes: Buffer,
  columns: readonly TableColumn[],
  rowsMax: number,
  give_up_ms = GIVE_UP_MS,
): Promise<ReadTable> {
  const before = last;
  const reading = (async () => {
    await before;
    return await runWorker({ bytes, columns, rowsMax }, give_up_ms);
  })();
  last = reading.catch(() => {});
  return await reading;
}
