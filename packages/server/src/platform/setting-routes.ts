/** Routes of the settings. */
import type { settingRoutes } from "@red/contract/setting";
import type { Handlers } from "./handlers.ts";
import { saveSetting } from "./save-setting.ts";
import { selectSettings } from "./setting-sql.ts";

export const settingHandlers: Handlers<typeof settingRoutes> = {
  async list({ db, services }) {
    const content = await selectSettings(db, services.settings.timeZone);
    return { data: { content, total: content.length } };
  },

  async save({ tx, actor, params, body }) {
    return { data: await saveSetting(tx, actor, params.key, body.value), msg: "saved" };
  },
};
