/** Usual reasons of wallets in plain words, for screens and files. */
const KNOWN = {
  "account closed": "reason_account_closed",
  "account frozen": "reason_account_frozen",
  "account under review": "reason_account_under_review",
  "daily credit limit reached": "reason_daily_limit",
  "wallet being migrated": "reason_wallet_migrated",
} as const;

type ReasonKey = (typeof KNOWN)[keyof typeof KNOWN];

const zh: Readonly<Record<ReasonKey, string>> = {
  reason_account_closed: "账户已关闭",
  reason_account_frozen: "账户已冻结",
  reason_account_under_review: "账户审核中",
  reason_daily_limit: "已达当日入账上限",
  reason_wallet_migrated: "钱包迁移中",
};

const en: typeof zh = {
  reason_account_closed: "account closed",
  reason_account_frozen: "account frozen",
  reason_account_under_review: "account under review",
  reason_daily_limit: "daily credit limit reached",
  reason_wallet_migrated: "wallet being migrated",
};

export const WALLET_REASON_TEXTS = { zh, en };

/** The text of a wallet's reason in any case; null if it is none of the usual ones. */
export function walletReasonKey(reason: string): ReasonKey | null {
  return Object.entries(KNOWN).find(([text]) => text === reason.toLowerCase())?.[1] ?? null;
}
