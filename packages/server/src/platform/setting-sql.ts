/** Settings that operators change (docs/operations.md); read in the transaction that needs them. */
import { SETTING_KEYS, SETTINGS } from "@red/contract/setting";
import type { Setting, SettingKey } from "@red/contract/setting";
import { sql } from "kysely";
import type { Db } from "./connection.ts";

type StoredSetting = Omit<Setting, "changed_at"> & { readonly changed_at: Date | null };

/** All settings, in the contract's order. */
export async function selectSettings(db: Db): Promise<StoredSetting[]> {
  const changed_from = sql<string | null>`(
    select l.before ->> 'value' from audit_log l
    where l.object_type = 'setting' and l.object_id = setting.key and l.outcome = 'done'
    order by l.id desc limit 1)`.as("changed_from");
  const rows = await db.selectFrom("setting").selectAll().select(changed_from).execute();
  return SETTING_KEYS.map((key) => {
    const none = { changed_by: null, changed_from: null, changed_at: null };
    const value = SETTINGS[key].default;
    return { ...SETTINGS[key], value, ...none, ...rows.find((row) => row.key === key), key };
  });
}

/** The value in force. */
export async function selectSetting(db: Db, key: SettingKey): Promise<string> {
  const row = db.selectFrom("setting").select("value").where("key", "=", key);
  return (await row.executeTakeFirst())?.value ?? SETTINGS[key].default;
}
