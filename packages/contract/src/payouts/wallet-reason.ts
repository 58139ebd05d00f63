/**
 * Words for screens and files that explain why a payout is not paid: usual reasons of wallets, and reasons of
 * a manual check.
 */
import { CODE_TEXTS } from "#platform/code-texts";
import { CHECK_REASONS } from "#platform/codes";
import type { Language } from "#platform/texts";

const ZH: Readonly<Record<string, string>> = {
  "account closed": "账户已关闭",
  "account frozen": "账户已冻结",
  "account under review": "账户审核中",
  "daily credit limit reached": "已达当日入账上限",
  "wallet being migrated": "钱包迁移中",
};

/** Usual reasons of wallets never name a player. */
export const isUsualReason = (reason: string) => Object.hasOwn(ZH, reason.toLowerCase());

/** Returns the reason in words. Unusual reasons, and all wallet reasons in English, stay as the wallet gave them. */
export function walletReason(reason: string, language: Language): string {
  const check = CHECK_REASONS.find((name) => name === reason);
  const usual = language === "zh" ? ZH[reason.toLowerCase()] : undefined;
  return check === undefined ? (usual ?? reason) : CODE_TEXTS[language][`check_${check}`];
}
