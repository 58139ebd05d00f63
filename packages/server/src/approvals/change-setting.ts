/**
 * Changes a setting. To weaken a guard or a threshold, the caller needs a code and every proof that any
 * threshold requires (behaviour §16).
 */
import { AppError } from "@red/contract/platform/errors";
import type { TextValues } from "@red/contract/platform/errors";
import { SETTING_KEYS, weakensGuard } from "@red/contract/approvals/setting";
import { text } from "@red/contract/platform/texts";
import type { Language, TextKey } from "@red/contract/platform/texts";
import { aboveAnySum, noRisk, withCode } from "@red/engine/risk";
import type { Tx } from "#platform/db/connection";
import type { Caller, Costed } from "#platform/handlers";
import { saveSetting } from "#platform/db/save-setting";
import { selectValues } from "#platform/db/setting-sql";
import { isAble, selectAdministrators } from "./approval-sql.ts";
import type { Administrator } from "./approval-sql.ts";

const NAMED_MAX = 5;

/** Lists the possible approvers in the given language, with everything that they lack. */
function whoLack(all: readonly Administrator[], language: Language): string {
  const say = (key: TextKey, values: TextValues = {}) => text(key, language, values);
  const list = (words: readonly string[]) => words.join(say("list_join"));
  const named = all.slice(0, NAMED_MAX).map((one) => {
    const lacks = [
      ...(one.disabled ? [say("approver_disabled")] : []),
      ...(one.bound ? [] : [say("approver_unbound")]),
      ...(one.fresh_hours === null ? [] : [say("approver_fresh", { hours: one.fresh_hours })]),
      ...(isAble(one) ? [say("approver_able")] : []),
    ];
    return say("approver_lacks", { name: one.name, lacks: list(lacks) });
  });
  const count = all.length - named.length;
  const more = count > 0 ? [say("approvers_more", { count })] : [];
  return list([...named, ...more]) || say("approvers_none");
}

/**
 * Throws `approval_nobody` if nobody could approve changes. redctl has no account, so two approvers must
 * exist for a change by redctl, else `approval_not_two`.
 */
async function requireApprovers(tx: Tx, { operator }: Caller): Promise<void> {
  const all = await selectAdministrators(tx, operator);
  if (all.filter(isAble).length < (operator === null ? 2 : 1)) {
    const words = { zh: whoLack(all, "zh"), en: whoLack(all, "en") };
    throw new AppError(operator === null ? "approval_not_two" : "approval_nobody", { words });
  }
}

/**
 * Returns the stored value. Throws as `saveSetting` does, and `approval_nobody` or `approval_not_two` if
 * the change switches the second person on and too few operators can approve.
 */
export async function changeSetting(
  tx: Tx,
  caller: Caller,
  named: string,
  value: string,
): Promise<Costed<{ value: string }>> {
  const key = SETTING_KEYS.find((one) => one === named);
  const before = key === undefined ? value : (await selectValues(tx))[key];
  const data = { value: await saveSetting(tx, caller.actor, named, value) };
  if (key === "band_second" && before === "off" && data.value !== "off") {
    await requireApprovers(tx, caller);
  }
  const isWeaker = key !== undefined && weakensGuard(key, before, data.value);
  const risk = isWeaker
    ? withCode(aboveAnySum("less is asked of others"))
    : noRisk("the ladder is no weaker");
  return { data, risk };
}
