/** Calls about records and their payouts (spec §7; behaviour §6, §11). */
import { formatDateTime } from "@red/contract/datetime";
import { AppError, ERRORS } from "@red/contract/errors";
import type { ErrorKey } from "@red/contract/errors";
import { IDS_PER_CALL_MAX } from "@red/contract/limits";
import { formatCents } from "@red/contract/money";
import type { DrawRecord, recordRoutes } from "@red/contract/record";
import { text } from "@red/contract/texts";
import type { Language } from "@red/contract/texts";
import type { NotTaken } from "#payouts/change-records";
import { askRecords } from "#payouts/ask-records";
import { closeRecords } from "#payouts/close-records";
import { deliverRecords } from "#payouts/deliver-records";
import { scheduleFor } from "#payouts/payout-rules";
import { reissueRecords } from "#payouts/reissue-records";
import { selectIsActivity } from "#rounds/activity-sql";
import { selectAttempts } from "#payouts/payout-attempt-sql";
import {
  selectRecordPicks,
  selectRecords,
  selectRecordSums,
  streamRecords,
  toRecord,
} from "./record-sql.ts";
import type { RecordRow } from "./record-sql.ts";
import { readRecordFilter } from "./record-filter.ts";
import { recordTable } from "./record-file.ts";
import { tableDownload } from "#platform/download";
import type { Handlers } from "#platform/handlers";

/** Why records were not taken, in the caller's language: `key` says which ones can be. */
function reasonsOf(refused: readonly NotTaken[], key: ErrorKey, language: Language) {
  return refused.map(({ log_id, state }) => ({
    log_id,
    reason: text(state === null ? "record_not_found" : key, language),
  }));
}

async function* shown(
  rows: AsyncIterable<RecordRow>,
  timeZone: string,
): AsyncGenerator<DrawRecord> {
  for await (const row of rows) {
    yield toRecord(row, timeZone);
  }
}

export const recordHandlers: Handlers<typeof recordRoutes> = {
  async list({ db, query, services }) {
    const { timeZone } = services.settings;
    const match = await readRecordFilter(db, query, timeZone);
    const [rows, sums] = await Promise.all([
      selectRecords(db, match, query),
      selectRecordSums(db, match),
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

  async ids({ db, query, services }) {
    const match = await readRecordFilter(db, query, services.settings.timeZone);
    const rows = await selectRecordPicks(db, match, IDS_PER_CALL_MAX);
    const content = rows.map(({ award_price_cents, state, ...row }) => ({
      ...row,
      award_price: formatCents(award_price_cents),
      payout_state: state,
    }));
    if (content.length < IDS_PER_CALL_MAX) {
      return { data: { content, total: content.length } };
    }
    // There may be more, which only counting tells; what was paid meanwhile may have left the filter.
    const sums = await selectRecordSums(db, match);
    const counted = sums.reduce((total, { count }) => total + count, 0);
    return { data: { content, total: Math.max(counted, content.length) } };
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

  async reissue({ tx, actor, body, language, services }) {
    const log_ids = [...(body.log_ids ?? []), ...(body.log ?? [])];
    const { retentionMs } = scheduleFor(services.settings.walletRetentionDays);
    const change = await reissueRecords(tx, actor, log_ids, retentionMs);
    const refused = reasonsOf(change.refused, "record_not_refused", language);
    const data = { reissued: change.taken.length, asked: change.asked.length, refused };
    return data.reissued > 0
      ? { data, msg: "reissued" }
      : { data, msg: "reissue_failed", code: ERRORS.reissue_none.code };
  },

  async ask({ tx, actor, body, language }) {
    const change = await askRecords(tx, actor, body.log_ids);
    const refused = reasonsOf(change.refused, "record_not_check", language);
    const data = { asked: change.taken.length, refused };
    return data.asked > 0
      ? { data, msg: "asked" }
      : { data, msg: "ask_failed", code: ERRORS.record_not_check.code };
  },

  async deliver({ tx, actor, body, language }) {
    const note = body.note === undefined || body.note === "" ? null : body.note;
    const change = await deliverRecords(tx, actor, body.log_ids, note);
    const refused = reasonsOf(change.refused, "record_not_waiting", language);
    const data = { delivered: change.taken.length, refused };
    return data.delivered > 0
      ? { data, msg: "delivered" }
      : { data, msg: "deliver_failed", code: ERRORS.record_not_waiting.code };
  },

  async close({ tx, actor, body, language }) {
    const change = await closeRecords(tx, actor, body.log_ids, body.reason);
    const refused = reasonsOf(change.refused, "record_not_closable", language);
    const data = { closed: change.taken.length, refused };
    return data.closed > 0
      ? { data, msg: "closed" }
      : { data, msg: "close_failed", code: ERRORS.record_not_closable.code };
  },

  async exportFile({ db, query, services }) {
    const { format, ...filter } = query;
    if (!(await selectIsActivity(db, filter.rounds_id))) {
      throw new AppError("activity_not_found");
    }
    const { timeZone } = services.settings;
    const match = await readRecordFilter(db, filter, timeZone);
    const table = recordTable(shown(streamRecords(db, match), timeZone));
    return tableDownload(`${table.title}-${filter.rounds_id}`, format, table);
  },
};
