/**
 * Reads the settings that operators change (docs/operations.md). Each transaction that needs settings reads them
 * itself.
 */
import { SETTING_KEYS, SETTINGS } from "@red/contract/approvals/setting";
import type { Setting, SettingKey } from "@red/contract/approvals/setting";
import { sql } from "kysely";
import type { Db } from "./connection.ts";

type StoredSetting = Omit<Setting, "changed_at"> & { readonly changed_at: Date | null };

/** Returns all settings in the order of the contract. */
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

/** Returns the current value of each setting, or its default. */
export async function selectValues(db: Db): Promise<Readonly<Record<SettingKey, string>>> {
  const rows = await db.selectFrom("setting").select(["key", "value"]).execute();
  const values = SETTING_KEYS.map((key) => {
    const row = rows.find((one) => one.key === key);
    return [key, row?.value ?? SETTINGS[key].default];
  });
  // Every setting key has a value.
  return Object.fromEntries(values) as Record<SettingKey, string>;
}
