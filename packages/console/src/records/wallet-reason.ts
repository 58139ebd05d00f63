/** Usual reasons of wallets in the operator's language; any other is shown as the wallet gave it. */
import type { TFunction } from "i18next";

const KNOWN = {
  "account closed": "reason_account_closed",
  "account frozen": "reason_account_frozen",
  "account under review": "reason_account_under_review",
  "daily credit limit reached": "reason_daily_limit",
  "wallet being migrated": "reason_wallet_migrated",
} as const;

export function walletReason(reason: string, t: TFunction<"job">): string {
  const known = Object.entries(KNOWN).find(([text]) => text === reason.toLowerCase());
  return known === undefined ? reason : t(known[1]);
}
