/**
 * Writes a download to a file first and then sends the file. So a slow reader keeps neither a database connection nor a
 * snapshot open (behaviour §11).
 */
import { randomUUID } from "node:crypto";
import { open, unlink } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "@red/contract/platform/errors";
import { limitConcurrency } from "#platform/concurrency";
import { failpoint } from "#platform/failpoint";
import type { Download } from "#platform/handlers";
import type { FastifyReply } from "fastify";

export interface DownloadFolder {
  /** Folder of the files. The files have no name, so they disappear with this process. */
  readonly folder: string;
  /** Maximum number of downloads written at the same time. Each download takes one connection. */
  readonly atOnce: number;
}

export interface Downloads {
  /** Waits for its turn, writes the download and sends it. Throws the errors of `make`, and `disk_full`. */
  send(reply: FastifyReply, make: () => Promise<Download>): Promise<FastifyReply>;
  /** Waits briefly for open downloads, then cuts them off, because a slow reader must not delay a shutdown. */
  close(): Promise<void>;
}

const CLOSING_MS = 2_000;
const READ_BYTES = 262_144;
const NO_ROOM: readonly unknown[] = ["ENOSPC", "EDQUOT", "EFBIG"];

export function isDiskFull(fault: unknown): boolean {
  return fault instanceof Error && "code" in fault && NO_ROOM.includes(fault.code);
}

/** Opens two handles of a file and removes its name. Each stream closes its own handle. */
async function openNameless(folder: string) {
  const name = path.join(folder, `export-${randomUUID()}`);
  const output = await open(name, "wx", 0o600);
  const input = await open(name, "r");
  await unlink(name);
  return { input, output };
}

export function openDownloads({ folder, atOnce }: DownloadFolder): Downloads {
  const inTurn = limitConcurrency(atOnce);
  const streams = new Set<Readable>();

  function track(stream: Readable): Readable {
    streams.add(stream);
    return stream.once("close", () => streams.delete(stream));
  }

  /** Writes the content and returns the name and the type. */
  async function fill(output: FileHandle, make: () => Promise<Download>, signal: AbortSignal) {
    signal.throwIfAborted();
    const { content, ...head } = await make();
    await pipeline(track(content), output.createWriteStream(), { signal });
    return head;
  }

  return {
    async send(reply, make) {
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort());
      const { input, output } = await openNameless(folder);
      try {
        const { filename, type } = await inTurn(() => fill(output, make, gone.signal));
        const { size } = await input.stat();
        const ascii = filename.replaceAll(/[^\w.-]/g, "_");
        const name = `filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(filename)}`;
        setImmediate(() => failpoint("download_begun"));
        return reply
          .header("content-disposition", `attachment; ${name}`)
          .header("content-length", size)
          .type(type)
          .send(track(input.createReadStream({ highWaterMark: READ_BYTES })));
      } catch (fault) {
        await Promise.all([input.close(), output.close()]);
        if (gone.signal.aborted) {
          return reply.hijack();
        }
        throw isDiskFull(fault) ? new AppError("disk_full") : fault;
      }
    },
    async close() {
      for (let waited = 0; streams.size > 0 && waited < CLOSING_MS; waited += 50) {
        await sleep(50);
      }
      for (const stream of streams) {
        stream.destroy(new AppError("unavailable"));
      }
    },
  };
}
