/** Routes of the settings; one that weakens the guard is guarded itself. */
import { formatDateTime } from "@red/contract/datetime";
import { SETTING_KEYS, weakensGuard } from "@red/contract/setting";
import type { settingRoutes } from "@red/contract/setting";
import type { Handlers } from "#platform/handlers";
import { saveSetting } from "#platform/save-setting";
import { selectSetting, selectSettings } from "#platform/setting-sql";
import { withCode } from "#identity/confirm-code";
import { isAsked } from "./guard.ts";

export const settingHandlers: Handlers<typeof settingRoutes> = {
  async list({ db, services }) {
    const content = (await selectSettings(db)).map(({ changed_at, ...row }) => ({
      ...row,
      changed_at: changed_at && formatDateTime(changed_at, services.settings.timeZone),
    }));
    return { data: { content, total: content.length } };
  },

  async save(call) {
    const { tx, actor, params, body } = call;
    const key = SETTING_KEYS.find((one) => one === params.key);
    const isWeaker =
      key !== undefined && weakensGuard(key, await selectSetting(tx, key), body.value);
    const save = async () => ({ value: await saveSetting(tx, actor, params.key, body.value) });
    return isWeaker && (await isAsked(tx, call))
      ? await withCode(tx, call, body.code, "saved", save)
      : { data: await save(), msg: "saved" };
  },
};
