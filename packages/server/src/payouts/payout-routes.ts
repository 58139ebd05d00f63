/** Routes of payouts (spec §7; behaviour §6, §11): operators' actions and the wallet's callback. */
import { formatDateTime } from "@red/contract/platform/datetime";
import { found } from "@red/contract/platform/errors";
import type { ErrorKey } from "@red/contract/platform/errors";
import type { payoutRoutes } from "@red/contract/payouts/payout";
import type { recordRoutes } from "@red/contract/records/record";
import { noRisk } from "@red/engine/risk";
import { text } from "@red/contract/platform/texts";
import type { Language } from "@red/contract/platform/texts";
import { askRecords, closeRecords, deliverRecords, reissueRecords } from "./change-records.ts";
import type { NotTaken } from "./change-records.ts";
import { selectAttempts } from "./payout-sql.ts";
import { scheduleFor } from "./payout-rules.ts";
import { receiveCallback } from "./receive-callback.ts";
import { signedIn } from "#platform/handlers";
import type { Handlers } from "#platform/handlers";

export const ASKS = noRisk("the wallet is asked, and pays nothing");

/**
 * Returns why records were not changed, in the caller's language. The text of `key` tells which states can be changed.
 */
export function reasonsOf(refused: readonly NotTaken[], key: ErrorKey, language: Language) {
  return refused.map(({ log_id, state }) => ({
    log_id,
    reason: text(state === null ? "record_not_found" : key, language),
  }));
}

export const recordPayoutHandlers: Pick<
  Handlers<typeof recordRoutes>,
  "attempts" | "reissue" | "ask" | "deliver" | "close"
> = {
  async attempts({ db, params, services }) {
    const rows = found(await selectAttempts(db, params.id), "record_not_found");
    const { timeZone } = services.settings;
    const content = rows.map(({ started_at, ...row }) => ({
      ...row,
      at: formatDateTime(started_at, timeZone),
    }));
    return { data: { content, total: content.length } };
  },

  async reissue({ tx, actor, operator, body, language, services }) {
    const log_ids = [...(body.log_ids ?? []), ...(body.log ?? [])];
    const { retentionMs } = scheduleFor(services.settings.walletRetentionDays);
    const change = await reissueRecords(tx, actor, log_ids, retentionMs, signedIn(operator).id);
    const refused = reasonsOf(change.refused, "record_not_refused", language);
    const data = { reissued: change.taken.length, asked: change.asked.length, refused };
    return data.reissued > 0
      ? { data, msg: "reissued", risk: change.risk }
      : { data, msg: "reissue_failed", refused: "reissue_none" };
  },

  async ask({ tx, actor, operator, body, language }) {
    const change = await askRecords(tx, actor, body.log_ids, signedIn(operator).id);
    const refused = reasonsOf(change.refused, "record_not_check", language);
    const data = { asked: change.taken.length, refused };
    return data.asked > 0
      ? { data, msg: "asked", risk: ASKS }
      : { data, msg: "ask_failed", refused: "record_not_check" };
  },

  async deliver({ tx, actor, body, language }) {
    const note = body.note === undefined || body.note === "" ? null : body.note;
    const change = await deliverRecords(tx, actor, body.log_ids, note);
    const refused = reasonsOf(change.refused, "record_not_waiting", language);
    const data = { delivered: change.taken.length, refused };
    return data.delivered > 0
      ? { data, msg: "delivered", risk: noRisk("what was drawn was handed over") }
      : { data, msg: "deliver_failed", refused: "record_not_waiting" };
  },

  async close({ tx, actor, body, language }) {
    const change = await closeRecords(tx, actor, body.log_ids, body.reason);
    const refused = reasonsOf(change.refused, "record_not_closable", language);
    const data = { closed: change.taken.length, refused };
    return data.closed > 0
      ? { data, msg: "closed", risk: noRisk("nothing is paid") }
      : { data, msg: "close_failed", refused: "record_not_closable" };
  },
};

export const payoutHandlers: Handlers<typeof payoutRoutes> = {
  async result({ tx, actor, params, body }) {
    return { data: { payout_state: await receiveCallback(tx, actor, params.trans_sn, body) } };
  },
};
