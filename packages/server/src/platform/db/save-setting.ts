import { AppError } from "@red/contract/platform/errors";
import { formatCents, parseCents } from "@red/contract/platform/money";
import { SETTING_KEYS, SETTINGS } from "@red/contract/approvals/setting";
import { sql } from "kysely";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "./connection.ts";
import { selectValues } from "./setting-sql.ts";

/**
 * Saves a setting (docs/operations.md) and returns the stored value, such as `10000.00` for `10000`. Throws
 * setting_not_found and setting_wrong.
 */
export async function saveSetting(
  tx: Tx,
  actor: Actor,
  named: string,
  text: string,
): Promise<string> {
  const key = SETTING_KEYS.find((one) => one === named);
  if (key === undefined) {
    throw new AppError("setting_not_found", { keys: SETTING_KEYS.join(", ") });
  }
  const { kind, default: example } = SETTINGS[key];
  const cents = kind === "bool" ? null : parseCents(text);
  const value = cents === null ? text : formatCents(cents);
  const words = { money: /^$/, bool: /^(on|off)$/, band: /^off$/ }[kind];
  if (cents === null && !words.test(text)) {
    const wanted = { money: example, bool: "on, off", band: "off, 10000.00" }[kind];
    throw new AppError("setting_wrong", { wanted });
  }
  const before = { value: (await selectValues(tx))[key] };
  // Saving the current value changes nothing and writes no audit row.
  if (before.value === value) {
    return value;
  }
  const row = { key, value, changed_by: actor.name, changed_at: sql<Date>`now()` };
  const insert = tx.insertInto("setting").values(row);
  await insert.onConflict((conflict) => conflict.column("key").doUpdateSet(row)).execute();
  const object = { object_type: "setting", object_id: key };
  await insertAudit(tx, actor, { action: "save_setting", ...object, before, after: { value } });
  return value;
}
