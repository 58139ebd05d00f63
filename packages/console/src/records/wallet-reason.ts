/** Usual reasons of wallets in the operator's language; any other is shown as the wallet gave it. */
import type { TFunction } from "i18next";
import { walletReasonKey } from "@red/contract/wallet-reason";
import { addTexts } from "#lib/language.ts";
import { JOB_TEXTS } from "./job-texts.ts";

addTexts("job", JOB_TEXTS);

/** The reason in plain words, and the wallet's own word if that differs. */
export function walletReasonWhole(reason: string, t: TFunction<"job">): string {
  const words = walletReason(reason, t);
  return words.toLowerCase() === reason.toLowerCase()
    ? reason
    : t("reason_whole", { words, reason });
}

export function walletReason(reason: string, t: TFunction<"job">): string {
  const key = walletReasonKey(reason);
  return key === null ? reason : t(key);
}
