/** Calls about extra times (spec §2, §7; behaviour §3). */
import { formatDateTime } from "@red/contract/datetime";
import { AppError, ERRORS } from "@red/contract/errors";
import type { extraTimesRoutes } from "@red/contract/extra-times";
import { grantExtraTime, grantExtraTimes } from "#actions/grant-extra-times";
import { selectExtraTimes, selectLeftTimes } from "#db/extra-time";
import { selectPlayerByName } from "#db/player";
import type { Handlers } from "#http/handlers";

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
    }));
    return { data: { content, total } };
  },

  async create({ tx, actor, body, services, language }) {
    const { user_name, ...terms } = body;
    const { timeZone } = services.settings;
    await grantExtraTime(tx, actor, user_name, terms, { timeZone, language });
    return { data: null, msg: "extra_time_added" };
  },

  async grant({ tx, actor, body, services, language }) {
    const { user_names, ...terms } = body;
    const { timeZone } = services.settings;
    const { granted, unknown, doubled } = await grantExtraTimes(tx, actor, user_names, terms, {
      timeZone,
      language,
    });
    const data = { granted, unknown: [...unknown], doubled: [...doubled] };
    return granted > 0
      ? { data, msg: "extra_time_added" }
      : { data, msg: "player_unknown", code: ERRORS.player_unknown.code };
  },

  async total({ db, query }) {
    const player = await selectPlayerByName(db, query.user_name);
    if (player === null) {
      throw new AppError("player_unknown");
    }
    return { data: { left_times: await selectLeftTimes(db, player.player_key) } };
  },
};
