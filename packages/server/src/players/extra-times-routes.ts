import { formatDateTime } from "@red/contract/platform/datetime";
import type { extraTimesRoutes } from "@red/contract/players/extra-times";
import { UPLOAD_TYPES } from "@red/contract/platform/limits";
import { noRisk } from "@red/engine/risk";
import { grantExtraTime, grantExtraTimes, previewGrant } from "./grant-extra-times.ts";
import { selectBatch, selectExtraTimes, selectLeftTimes } from "./extra-time-sql.ts";
import { requirePlayer, selectPlayerByName } from "./player-sql.ts";
import { readAccountLines } from "./account-file.ts";
import { takeBackExtraTimes } from "./take-back-extra-times.ts";
import { bytesAsNamed } from "#platform/files";
import type { Handlers } from "#platform/handlers";

export const extraTimesHandlers: Handlers<typeof extraTimesRoutes> = {
  async list({ db, query, services }) {
    const { user_name } = query;
    const player = user_name === undefined ? null : await selectPlayerByName(db, user_name);
    if (user_name !== undefined && player === null) {
      return { data: { content: [], total: 0 } };
    }
    const { rows, total } = await selectExtraTimes(db, player?.player_key ?? null, query);
    const { timeZone } = services.settings;
    const content = rows.map((row) => ({
      ...row,
      expire_time: formatDateTime(row.expire_time, timeZone),
      created_at: formatDateTime(row.created_at, timeZone),
      taken_back: row.taken_back && {
        ...row.taken_back,
        at: formatDateTime(new Date(row.taken_back.at), timeZone),
      },
    }));
    if (query.batch_id === undefined) {
      return { data: { content, total } };
    }
    return { data: { content, total, batch: await selectBatch(db, query.batch_id) } };
  },

  async create({ tx, actor, body, services, language }) {
    const { user_name, ...terms } = body;
    const { timeZone } = services.settings;
    const granted = await grantExtraTime(tx, actor, user_name, terms, { timeZone, language });
    return { ...granted, msg: "extra_time_added" };
  },

  async grant({ tx, actor, body, services, language }) {
    const { tag, expire_time, ...list } = body;
    const terms = { tag, expire_time };
    const { timeZone } = services.settings;
    const reading = { timeZone, language };
    const { data, risk } = await grantExtraTimes(tx, actor, list, terms, reading);
    if (data.granted > 0) {
      return { data, risk, msg: "extra_time_added" };
    }
    const barred = data.blocked.length > 0 ? "player_blocked" : "player_excluded";
    if (data.blocked.length + data.excluded.length > 0) {
      return { data, msg: barred, refused: barred };
    }
    return data.unknown.length === 0
      ? { data, msg: "expiry_in_past", refused: "bad_input" }
      : { data, msg: "player_unknown", refused: "player_unknown" };
  },

  async takeBack({ tx, actor, body: { reason, ...part } }) {
    const data = await takeBackExtraTimes(tx, actor, part, reason);
    return data.taken_back > 0
      ? { data, msg: "taken_back", risk: noRisk("fewer draws") }
      : { data, msg: "extra_time_used", refused: "extra_time_used" };
  },

  async preview({ db, body, services }) {
    const { timeZone } = services.settings;
    const { granted_before: before, ...plan } = await previewGrant(db, body, timeZone);
    const granted_before = before && {
      ...before,
      created_at: formatDateTime(before.created_at, timeZone),
    };
    return { data: { ...plan, granted_before } };
  },

  async accounts({ file, language }) {
    const bytes = bytesAsNamed(file, [...UPLOAD_TYPES, "txt"]);
    return { data: { lines: await readAccountLines(bytes, language) } };
  },

  async total({ db, query }) {
    const { player_key } = await requirePlayer(db, query.user_name);
    return { data: { left_times: await selectLeftTimes(db, player_key) } };
  },
};
