/** Calls about records and their payouts (spec §7; behaviour §6, §11). */
import { formatDateTime } from "@red/contract/datetime";
import { AppError, ERRORS } from "@red/contract/errors";
import { formatCents } from "@red/contract/money";
import type { recordRoutes } from "@red/contract/record";
import { text } from "@red/contract/texts";
import type { Language } from "@red/contract/texts";
import { reissueRecords } from "#actions/reissue-records";
import type { RefusedReissue } from "#actions/reissue-records";
import { selectAttempts } from "#db/payout-attempt";
import { selectRecords, selectRecordSums, toRecord } from "#db/record";
import type { Handlers } from "#http/handlers";

/** Why a record was not taken, in the caller's language. */
function reasonOf({ log_id, state }: RefusedReissue, language: Language) {
  const reason =
    state === null
      ? text("record_not_found", language)
      : text("record_not_refused", language, { state });
  return { log_id, reason };
}

export const recordHandlers: Handlers<typeof recordRoutes> = {
  async list({ db, query, services }) {
    const { timeZone } = services.settings;
    const [rows, sums] = await Promise.all([
      selectRecords(db, query, timeZone),
      selectRecordSums(db, query, timeZone),
    ]);
    return {
      data: {
        content: rows.map((row) => toRecord(row, timeZone)),
        total: sums.reduce((total, sum) => total + sum.count, 0),
        sums: sums.map(({ award_status, count, amount_cents }) => ({
          award_status,
          count,
          amount: formatCents(amount_cents),
        })),
      },
    };
  },

  async attempts({ db, params, services }) {
    const rows = await selectAttempts(db, params.id);
    if (rows === null) {
      throw new AppError("record_not_found");
    }
    const { timeZone } = services.settings;
    const content = rows.map(({ started_at, ...row }) => ({
      ...row,
      at: formatDateTime(started_at, timeZone),
    }));
    return { data: { content, total: content.length } };
  },

  async reissue({ tx, actor, body, language }) {
    const log_ids = [...(body.log_ids ?? []), ...(body.log ?? [])];
    const { reissued, refused } = await reissueRecords(tx, actor, log_ids);
    const data = {
      reissued: reissued.length,
      refused: refused.map((one) => reasonOf(one, language)),
    };
    return reissued.length > 0
      ? { data, msg: "reissued" }
      : { data, msg: "reissue_failed", code: ERRORS.reissue_none.code };
  },
};
