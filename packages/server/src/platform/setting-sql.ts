/** Settings that operators change (docs/operations.md). Read in the transaction that needs them. */
import { formatDateTime } from "@red/contract/datetime";
import { SETTING_KEYS, SETTINGS } from "@red/contract/setting";
import type { Setting, SettingKey } from "@red/contract/setting";
import { sql } from "kysely";
import type { Db, Tx } from "./connection.ts";

/** All settings in the order of the table of the contract. */
export async function selectSettings(db: Db, timeZone: string): Promise<Setting[]> {
  const rows = await db.selectFrom("setting").selectAll().execute();
  return SETTING_KEYS.map((key) => {
    const row = rows.find((one) => one.key === key);
    return {
      key,
      ...SETTINGS[key],
      value: row?.value ?? SETTINGS[key].default,
      changed_by: row?.changed_by ?? null,
      changed_at: row === undefined ? null : formatDateTime(row.changed_at, timeZone),
    };
  });
}

/** The value in force. */
export async function selectSetting(db: Db, key: SettingKey): Promise<string> {
  const found = db.selectFrom("setting").select("value").where("key", "=", key);
  return (await found.executeTakeFirst())?.value ?? SETTINGS[key].default;
}

/** Two savers of one setting follow each other. */
export async function lockSettings(tx: Tx): Promise<void> {
  await sql`lock table setting in share row exclusive mode`.execute(tx);
}

export async function upsertSetting(
  tx: Tx,
  row: { readonly key: SettingKey; readonly value: string; readonly changed_by: string },
): Promise<void> {
  const changed_at = sql<Date>`now()`;
  await tx
    .insertInto("setting")
    .values({ ...row, changed_at })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ ...row, changed_at }))
    .execute();
}
