/** Settings that operators change (docs/operations.md); read in the transaction that needs them. */
import { SETTING_KEYS, SETTINGS } from "@red/contract/setting";
import type { Setting, SettingKey } from "@red/contract/setting";
import type { Db } from "./connection.ts";

type StoredSetting = Omit<Setting, "changed_at"> & { readonly changed_at: Date | null };

/** All settings, in the contract's order. */
export async function selectSettings(db: Db): Promise<StoredSetting[]> {
  const rows = await db.selectFrom("setting").selectAll().execute();
  return SETTING_KEYS.map((key) => {
    const none = { value: SETTINGS[key].default, changed_by: null, changed_at: null };
    return { ...SETTINGS[key], ...none, ...rows.find((row) => row.key === key), key };
  });
}

/** The value in force. */
export async function selectSetting(db: Db, key: SettingKey): Promise<string> {
  const row = db.selectFrom("setting").select("value").where("key", "=", key);
  return (await row.executeTakeFirst())?.value ?? SETTINGS[key].default;
}
