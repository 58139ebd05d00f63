/** Usual reasons of wallets in plain words, for screens and files. */
import type { Language } from "./texts.ts";

const ZH: Readonly<Record<string, string>> = {
  "account closed": "账户已关闭",
  "account frozen": "账户已冻结",
  "account under review": "账户审核中",
  "daily credit limit reached": "已达当日入账上限",
  "wallet being migrated": "钱包迁移中",
};

/** Whether it is one of those, which name nobody. */
export const isUsualReason = (reason: string) => Object.hasOwn(ZH, reason.toLowerCase());

/** The reason in plain words; any other, and in English each, as the wallet gave it. */
export function walletReason(reason: string, language: Language): string {
  return (language === "zh" ? ZH[reason.toLowerCase()] : undefined) ?? reason;
}
