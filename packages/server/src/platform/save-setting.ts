/** Changes a setting (docs/operations.md). */
import { AppError } from "@red/contract/errors";
import { formatCents, parseCents } from "@red/contract/money";
import { SETTING_KEYS, SETTINGS } from "@red/contract/setting";
import { insertAudit } from "./audit.ts";
import type { Actor } from "./audit.ts";
import type { Tx } from "./connection.ts";
import { selectSetting, upsertSetting } from "./setting-sql.ts";

/** Answers the value as kept: `10000` as `10000.00`. Throws setting_not_found and setting_wrong. */
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
  const isBool = SETTINGS[key].kind === "bool";
  const cents = isBool ? null : parseCents(text);
  const value = cents === null ? text : formatCents(cents);
  if (isBool ? text !== "on" && text !== "off" : cents === null) {
    throw new AppError("setting_wrong", { wanted: isBool ? "on, off" : SETTINGS[key].default });
  }
  const before = { value: await selectSetting(tx, key) };
  await upsertSetting(tx, key, value, actor.name);
  const object = { object_type: "setting", object_id: key };
  await insertAudit(tx, actor, { action: "save_setting", ...object, before, after: { value } });
  return value;
}
