/** Routes of the prizes in a pool. A missing pool is an error, an empty pool is not. */
import { badInput, found } from "@red/contract/platform/errors";
import { faultsOf } from "@red/contract/platform/faults";
import { FIELD_LABELS } from "@red/contract/pools/field-labels";
import { prizeImportForm } from "@red/contract/pools/prize";
import type { prizeRoutes } from "@red/contract/pools/prize";
import { addStock, createPrize, deletePrize, updatePrize } from "./change-prize.ts";
import { importPrizes, previewPrizes } from "./import-prizes.ts";
import { toPreview } from "./plan-import.ts";
import type { Db } from "#platform/db/connection";
import { selectPrizeSave } from "./last-save-sql.ts";
import { selectPoolId } from "./pool-sql.ts";
import {
  selectPrize,
  selectPrizes,
  selectPrizesOfPools,
  selectPrizeTotals,
  toPrize,
} from "./prize-sql.ts";
import { bytesAsNamed } from "#platform/files";
import { prizeTable, readPrizeFile } from "./prize-file.ts";
import { tableDownload } from "#platform/http/download";
import { requireSameId } from "#platform/handlers";
import type { Handlers, UploadCall } from "#platform/handlers";
import * as z from "zod/mini";

async function poolIdOf(db: Db, pool_name: string): Promise<number> {
  return found(await selectPoolId(db, pool_name), "pool_not_found");
}

type PrizeUpload = Pick<UploadCall<typeof prizeRoutes.importFile>, "file" | "fields" | "language">;

async function readUploaded({ file, fields, language }: PrizeUpload) {
  const filled = Object.entries(fields).filter(([, value]) => value !== "");
  const form = z.safeParse(prizeImportForm, Object.fromEntries(filled));
  if (!form.success) {
    throw badInput(faultsOf(form.error.issues, language, FIELD_LABELS[language]));
  }
  const { pool_name = null, ...more } = form.data;
  return { ...more, file: await readPrizeFile(bytesAsNamed(file), pool_name, language) };
}

export const prizeHandlers: Handlers<typeof prizeRoutes> = {
  async list({ db, query }) {
    const pool_id = await poolIdOf(db, query.pool_name);
    const { rows, total } = await selectPrizes(db, pool_id, query);
    return { data: { content: rows.map((row) => toPrize(row, query.pool_name)), total } };
  },

  async totals({ db, query }) {
    return { data: [await selectPrizeTotals(db, await poolIdOf(db, query.pool_name))] };
  },

  async detail({ db, params }) {
    const row = found(await selectPrize(db, params.id), "prize_not_found");
    return { data: toPrize(row, row.pool_name) };
  },

  async lastSave({ db, params, services }) {
    const row = await selectPrize(db, params.id);
    return { data: row && (await selectPrizeSave(db, row, services.settings.timeZone)) };
  },

  async create({ tx, actor, body }) {
    return { ...(await createPrize(tx, actor, body)), msg: "added" };
  },

  async update({ tx, actor, params, body, language }) {
    requireSameId(params.id, { id: body.id }, language);
    return { ...(await updatePrize(tx, actor, params.id, body)), msg: "saved" };
  },

  async addStock({ tx, actor, params, body }) {
    return { ...(await addStock(tx, actor, params.id, body.add)), msg: "saved" };
  },

  async remove({ tx, actor, params }) {
    return { ...(await deletePrize(tx, actor, params.id)), msg: "deleted" };
  },

  async importFile(call) {
    const { file, plan } = await readUploaded(call);
    const { actor, language } = call;
    const { filename } = call.file;
    // The file is already read here, so the transaction keeps its locks only while it writes.
    const given = { file, filename, language, plan };
    return await call.write(async (tx) => ({
      ...(await importPrizes(tx, actor, given)),
      msg: "added",
    }));
  },

  async previewImport(call) {
    const { file } = await readUploaded(call);
    return { data: toPreview(await previewPrizes(call.db, file, call.language)) };
  },

  async exportFile({ db, query: { pool_name, format } }) {
    const rows = await selectPrizesOfPools(db, [await poolIdOf(db, pool_name)]);
    const prizes = rows.map((row) => toPrize(row, pool_name));
    return tableDownload(pool_name, format, prizeTable(pool_name, prizes));
  },
};
