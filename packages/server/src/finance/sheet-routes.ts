/** Routes for the sheet of a round (behaviour §6). */
import { formatDateTime } from "@red/contract/platform/datetime";
import { sheet, SHEET_EXCEPTIONS_MAX } from "@red/contract/finance/sheet";
import type { sheetRoutes } from "@red/contract/finance/sheet";
import { text } from "@red/contract/platform/texts";
import type { Language } from "@red/contract/platform/texts";
import { signOffConflict } from "./sign-off-conflict.ts";
import { readSheet, signSheets } from "./sign-sheet.ts";
import type { Db } from "#platform/db/connection";
import { selectSheetExceptions, selectSignOffs, streamSheetExceptions } from "./sheet-sql.ts";
import { fromSnapshot } from "#platform/db/snapshot";
import { exceptionRows, sheetTable, shownExceptions, topRows } from "./sheet-file.ts";
import type { SheetTop } from "./sheet-file.ts";
import { tableDownload } from "#platform/http/download";
import { signedIn } from "#platform/handlers";
import type { Handlers, ReadCall } from "#platform/handlers";
import { maskBy } from "#platform/mask";
import * as z from "zod/mini";

async function topOf(
  db: Db,
  rounds_id: number,
  timeZone: string,
  language: Language,
): Promise<SheetTop> {
  const { figures, statement, hash, not_ready } = await readSheet(db, rounds_id, timeZone);
  const signOffs = await selectSignOffs(db, rounds_id);
  return {
    ...figures,
    statement,
    hash,
    not_ready: not_ready && text(not_ready, language),
    sign_offs: signOffs.map((row) => ({
      ...row,
      signed_at: formatDateTime(row.signed_at, timeZone),
      is_current: row.hash === hash,
    })),
  };
}

type DownloadCall = ReadCall<typeof sheetRoutes.exportFile>;

/** Returns the rows of the file from one snapshot, so that the figures match the list. */
async function* filePages(view: Db, call: DownloadCall) {
  const { timeZone } = call.services.settings;
  const top = maskBy(z.omit(sheet, { exceptions: true }), call);
  yield topRows(top(await topOf(view, call.params.id, timeZone, call.language)));
  const mask = maskBy(sheet.shape.exceptions.shape.content, call);
  for await (const page of streamSheetExceptions(view, call.params.id)) {
    yield exceptionRows(mask(shownExceptions(page, timeZone)));
  }
}

export const sheetHandlers: Handlers<typeof sheetRoutes> = {
  async detail({ db, params, services, language, operator }) {
    const { timeZone } = services.settings;
    const top = await topOf(db, params.id, timeZone, language);
    const { key } = await signOffConflict(db, params.id, signedIn(operator).name);
    const not_ready = top.not_ready ?? (key && text(key, language));
    const { rows, total } = await selectSheetExceptions(db, params.id, SHEET_EXCEPTIONS_MAX);
    return {
      data: { ...top, not_ready, exceptions: { content: shownExceptions(rows, timeZone), total } },
    };
  },

  async sign({ tx, actor, params, body: { hash, note = null }, services }) {
    const sheets = [{ rounds_id: params.id, hash, note: note === "" ? null : note }];
    const { risk } = await signSheets(tx, actor, sheets, services.settings.timeZone);
    return { data: null, msg: "signed", risk };
  },

  async exportFile(call) {
    const { db, params, query } = call;
    const pages = fromSnapshot(db, (view) => filePages(view, call));
    const table = sheetTable(pages);
    return tableDownload(`${table.title}-${params.id}`, query.format, table);
  },
};
