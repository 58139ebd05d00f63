/** Routes of the settings. */
import { formatDateTime } from "@red/contract/datetime";
import type { settingRoutes } from "@red/contract/setting";
import type { Handlers } from "./handlers.ts";
import { saveSetting } from "./save-setting.ts";
import { selectSettings } from "./setting-sql.ts";

export const settingHandlers: Handlers<typeof settingRoutes> = {
  async list({ db, services }) {
    const content = (await selectSettings(db)).map(({ changed_at, ...row }) => ({
      ...row,
      changed_at: changed_at && formatDateTime(changed_at, services.settings.timeZone),
    }));
    return { data: { content, total: content.length } };
  },

  async save({ tx, actor, params, body }) {
    return { data: { value: await saveSetting(tx, actor, params.key, body.value) }, msg: "saved" };
  },
};
