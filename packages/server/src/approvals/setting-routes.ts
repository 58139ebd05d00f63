import { formatDateTime } from "@red/contract/platform/datetime";
import type { settingRoutes } from "@red/contract/approvals/setting";
import { timesAsked } from "@red/engine/times-asked";
import type { Handlers } from "#platform/handlers";
import { selectSettings } from "#platform/db/setting-sql";
import { changeSetting } from "./change-setting.ts";
import { selectPastChanges } from "./risked-sql.ts";

export const settingHandlers: Handlers<typeof settingRoutes> = {
  async list({ db, services }) {
    const content = (await selectSettings(db)).map(({ changed_at, ...row }) => ({
      ...row,
      changed_at: changed_at && formatDateTime(changed_at, services.settings.timeZone),
    }));
    return { data: { content, total: content.length } };
  },

  async asked({ db, query: { key, value } }) {
    const times = value === "off" ? 0 : timesAsked(key, value, await selectPastChanges(db, key));
    return { data: { times } };
  },

  async save(call) {
    const { tx, params, body } = call;
    return { ...(await changeSetting(tx, call, params.key, body.value)), msg: "saved" };
  },
};
