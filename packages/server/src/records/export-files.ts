/** Files of exports made in the background. A file is deleted together with its job (behaviour §3, §11). */
import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { ConnectionConfig, Db } from "#platform/db/connection";
import { EXPORTS_CHANNEL, listen } from "#platform/db/listen";
import type { Loop } from "#platform/upkeep-job";
import type { Logger } from "pino";

/** Returns the path of an export file in the folder `exports` of `DATA_DIR`. */
export function fileOf(dataDir: string, id: number | string): string {
  return path.join(dataDir, "exports", String(id));
}

/** Maximum bytes for the files of one operator in this folder. The newest file always stays, whatever its size. */
const BYTES_KEPT = 1024 ** 3;

/** Deletes the oldest files of the operator until the others fit `BYTES_KEPT`. Their jobs remain, without a file. */
export async function deleteOldest(db: Db, dataDir: string, operator_id: number): Promise<void> {
  const jobs = db.selectFrom("job").select("id").where("operator_id", "=", operator_id);
  const made = jobs.where("file_name", "is not", null).where("ended_at", "is not", null);
  let bytes = 0;
  for (const { id } of await made.orderBy("id", "desc").execute()) {
    // A file made by another process is in the folder of that process, so it has no bytes here.
    const { size } = await stat(fileOf(dataDir, id)).catch(() => ({ size: 0 }));
    if (bytes > 0 && bytes + size > BYTES_KEPT) {
      await db.updateTable("job").set({ file_name: null }).where("id", "=", id).execute();
      await rm(fileOf(dataDir, id), { force: true });
    } else {
      bytes += size;
    }
  }
}

/** Creates a task that deletes files without a job. */
export function deleteOldExports(dataDir: string) {
  return async (db: Db): Promise<{ files: number }> => {
    const names = await readdir(fileOf(dataDir, "")).catch(() => []);
    const rows = await db.selectFrom("job").select("id").where("fault", "is", null).execute();
    const kept = new Set(rows.map(({ id }) => String(id)));
    const old = names.filter((name) => !kept.has(name));
    await Promise.all(old.map((name) => rm(fileOf(dataDir, name), { force: true })));
    return { files: old.length };
  };
}

/** Deletes files when a transaction announces deleted jobs, and each time the listening connection is restored. */
export function startDeletingExports(options: {
  readonly db: Db;
  readonly connection: ConnectionConfig;
  readonly dataDir: string;
  readonly log: Pick<Logger, "info" | "warn">;
}): Loop {
  const { db, connection, dataDir, log } = options;
  let deleting = Promise.resolve();
  const onNotify = () => {
    deleting = deleting
      .then(() => deleteOldExports(dataDir)(db))
      .then((counts) => counts.files > 0 && log.info(counts, "files of exports deleted"))
      .then(
        () => {},
        (err: unknown) => log.warn({ err }, "files of exports not deleted, trying again later"),
      );
  };
  const listener = listen({ connection, channel: EXPORTS_CHANNEL, onNotify, log });
  return {
    async stop() {
      await listener.stop();
      await deleting;
    },
  };
}
