/** Changes a setting (docs/operations.md). */
import { AppError } from "@red/contract/errors";
import { formatCents, parseCents } from "@red/contract/money";
import { SETTINGS } from "@red/contract/setting";
import type { SettingKey } from "@red/contract/setting";
import { insertAudit } from "./audit.ts";
import type { Actor } from "./audit.ts";
import type { Tx } from "./connection.ts";
import { lockSettings, selectSetting, upsertSetting } from "./setting-sql.ts";

/** The value as it is kept; null when the setting has no such value. */
function valueOf(key: SettingKey, text: string): string | null {
  if (SETTINGS[key].kind === "bool") {
    return text === "on" || text === "off" ? text : null;
  }
  const cents = parseCents(text);
  return cents === null ? null : formatCents(cents);
}

/** Answers the value as kept, `10000` as `10000.00`. Throws setting_wrong. */
export async function saveSetting(
  tx: Tx,
  actor: Actor,
  key: SettingKey,
  text: string,
): Promise<{ readonly key: SettingKey; readonly value: string }> {
  const value = valueOf(key, text);
  if (value === null) {
    const wanted = SETTINGS[key].kind === "bool" ? "on, off" : SETTINGS[key].default;
    throw new AppError("setting_wrong", { wanted });
  }
  await lockSettings(tx);
  const before = await selectSetting(tx, key);
  await upsertSetting(tx, { key, value, changed_by: actor.name });
  await insertAudit(tx, actor, {
    action: "save_setting",
    object_type: "setting",
    object_id: key,
    before: { value: before },
    after: { value },
  });
  return { key, value };
}
