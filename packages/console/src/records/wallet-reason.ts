/** Usual reasons of wallets in the operator's language; any other is shown as the wallet gave it. */
import type { TFunction } from "i18next";
import { addTexts } from "#lib/language.ts";
import { JOB_TEXTS } from "./job-texts.ts";

const KNOWN = {
  "account closed": "reason_account_closed",
  "account frozen": "reason_account_frozen",
  "account under review": "reason_account_under_review",
  "daily credit limit reached": "reason_daily_limit",
  "wallet being migrated": "reason_wallet_migrated",
} as const;

addTexts("job", JOB_TEXTS);

/** The reason in plain words, and the wallet's own word if that differs. */
export function walletReasonWhole(reason: string, t: TFunction<"job">): string {
  const words = walletReason(reason, t);
  return words.toLowerCase() === reason.toLowerCase()
    ? reason
    : t("reason_whole", { words, reason });
}

export function walletReason(reason: string, t: TFunction<"job">): string {
  const known = Object.entries(KNOWN).find(([text]) => text === reason.toLowerCase());
  return known === undefined ? reason : t(known[1]);
}
