/** Routes of the reconciliation with the wallet's statement (behaviour §6). */
import { parseDateTime } from "@red/contract/platform/datetime";
import { AppError, badInput, found } from "@red/contract/platform/errors";
import { faultsOf } from "@red/contract/platform/faults";
import { formatCents } from "@red/contract/platform/money";
import { noRisk } from "@red/engine/risk";
import { reconciliationUpload } from "@red/contract/finance/reconciliation";
import type { reconciliationRoutes } from "@red/contract/finance/reconciliation";
import { text } from "@red/contract/platform/texts";
import { mendBreaks } from "./mend-breaks.ts";
import { reconcile } from "./reconcile.ts";
import {
  selectBreaks,
  selectBreakSums,
  selectReconciliations,
  toBreak,
  toReconciliation,
} from "./reconciliation-sql.ts";
import type { ReconciliationSpan, StatementEntry } from "./reconciliation-sql.ts";
import { readStatementFile } from "./statement-file.ts";
import { bytesAsNamed } from "#platform/files";
import type { Handlers } from "#platform/handlers";
import { referText } from "#platform/player-names";
import * as z from "zod/mini";

const FILE_NAME_LENGTH = 200;

/** Converts a period in the business time zone to instants. The period includes its last second. */
function spanOf(
  { from, to }: { readonly from: string; readonly to: string },
  timeZone: string,
): ReconciliationSpan {
  // The contract has checked both times.
  const instant = (text: string) => parseDateTime(text, timeZone)?.getTime() ?? Number.NaN;
  return { from_at: new Date(instant(from)), to_at: new Date(instant(to) + 1_000) };
}

/** Returns the wallet's statement of a period, or null if no wallet is configured. */
export type Statement = (
  span: ReconciliationSpan,
) => AsyncIterable<readonly StatementEntry[]> | null;

export const reconciliationHandlers = (
  statement: Statement,
): Handlers<typeof reconciliationRoutes> => ({
  async list({ db, query, services }) {
    const { rows, total } = await selectReconciliations(db, query);
    const { timeZone } = services.settings;
    return { data: { content: rows.map((row) => toReconciliation(row, timeZone)), total } };
  },

  async run({ db, actor, body, services }) {
    const span = spanOf(body, services.settings.timeZone);
    const pages = found(statement(span), "wallet_not_configured");
    return {
      data: await reconcile(db, actor, { ...span, file_name: null, pages }),
      msg: "reconciled",
    };
  },

  async upload({ db, actor, file, fields, services, language }) {
    const form = z.safeParse(reconciliationUpload, fields);
    if (!form.success) {
      throw badInput(faultsOf(form.error.issues, language));
    }
    const { timeZone } = services.settings;
    const span = spanOf(form.data, timeZone);
    const bytes = bytesAsNamed(file);
    const { rows, faults } = await readStatementFile(bytes, timeZone, language);
    if (faults.length > 0) {
      throw new AppError("import_failed", {}, { errors: faults });
    }
    const file_name = await referText(db, file.filename.slice(0, FILE_NAME_LENGTH));
    const data = await reconcile(db, actor, { ...span, file_name, pages: [rows] });
    return { data, msg: "reconciled" };
  },

  async breaks({ db, query, services }) {
    const { page, size, ...match } = query;
    const [rows, sums] = await Promise.all([
      selectBreaks(db, match, { page, size }),
      selectBreakSums(db, match),
    ]);
    return {
      data: {
        content: rows.map((row) => toBreak(row, services.settings.timeZone)),
        total: sums.reduce((total, { count }) => total + count, 0),
        sums: sums.map(({ kind, count, amount_cents }) => ({
          kind,
          count,
          amount: formatCents(amount_cents),
        })),
      },
    };
  },

  async mend({ tx, actor, body, language }) {
    const change = await mendBreaks(tx, actor, body.ids, body.end, body.reason);
    const refused = change.refused.map(({ id, key }) => ({ id, reason: text(key, language) }));
    const data = { ended: change.ended.length, refused };
    return data.ended > 0
      ? { data, msg: "mended", risk: noRisk("it says how a difference ended") }
      : { data, msg: "mend_failed", refused: change.refused[0]?.key ?? "break_not_found" };
  },
});
