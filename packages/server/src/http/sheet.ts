/** Calls about the sheet of a round (behaviour §6). */
import { formatDateTime } from "@red/contract/datetime";
import { AppError } from "@red/contract/errors";
import { formatCents } from "@red/contract/money";
import { LOGIN_CODES } from "@red/contract/session";
import { SHEET_EXCEPTIONS_MAX } from "@red/contract/sheet";
import type { Sheet, sheetRoutes } from "@red/contract/sheet";
import { text } from "@red/contract/texts";
import type { Language } from "@red/contract/texts";
import { addressGroup } from "#actions/address-group";
import { readSheet, signSheet } from "#actions/sign-sheet";
import type { Db } from "#db/connection";
import { selectSheetExceptions, selectSignOffs } from "#db/sheet";
import { sheetTable } from "#files/round-sheet";
import { tableDownload } from "#http/download";
import type { Handlers } from "#http/handlers";

async function sheetOf(
  db: Db,
  rounds_id: number,
  exceptionsMax: number,
  { timeZone, language }: { readonly timeZone: string; readonly language: Language },
): Promise<Sheet> {
  const { figures, statement, hash, not_ready } = await readSheet(db, rounds_id, timeZone);
  const { rows, total } = await selectSheetExceptions(db, rounds_id, exceptionsMax);
  const signOffs = await selectSignOffs(db, rounds_id);
  return {
    ...figures,
    statement,
    hash,
    not_ready: not_ready && text(not_ready, language),
    exceptions: {
      content: rows.map(({ amount_cents, state, created_at, ...row }) => ({
        ...row,
        amount: formatCents(amount_cents),
        payout_state: state,
        created_at: formatDateTime(created_at, timeZone),
      })),
      total,
    },
    sign_offs: signOffs.map((row) => ({
      ...row,
      signed_at: formatDateTime(row.signed_at, timeZone),
      is_current: row.hash === hash,
    })),
  };
}

export const sheetHandlers: Handlers<typeof sheetRoutes> = {
  async detail({ db, params, services, language }) {
    const { timeZone } = services.settings;
    const data = await sheetOf(db, params.id, SHEET_EXCEPTIONS_MAX, { timeZone, language });
    return { data };
  },

  async sign({ tx, actor, operator, params, body, services, request }) {
    if (operator === null) {
      throw new AppError("signed_out");
    }
    const { hash, code, note = null } = body;
    const verdict = await signSheet(
      tx,
      services.secrets,
      actor,
      { rounds_id: params.id, hash, note: note === "" ? null : note },
      { name: operator.name, address: addressGroup(request.ip), code },
      { timeZone: services.settings.timeZone, now: new Date() },
    );
    return verdict === "right"
      ? { data: null, msg: "signed" }
      : { data: null, msg: verdict, code: LOGIN_CODES.code_wanted };
  },

  async exportFile({ db, params, query, services, language }) {
    const { timeZone } = services.settings;
    const sheet = await sheetOf(db, params.id, Number.MAX_SAFE_INTEGER, { timeZone, language });
    const table = sheetTable(sheet);
    return tableDownload(`${table.title}-${params.id}`, query.format, table);
  },
};
