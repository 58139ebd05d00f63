import type { TFunction } from "i18next";
import { isUsualReason, walletReason } from "@red/contract/payouts/wallet-reason";
import { addTexts, currentLanguage } from "#lib/language.ts";
import { JOB_TEXTS } from "./job-texts.ts";

addTexts("job", JOB_TEXTS);

/** Returns the wallet's reason in plain words, followed by the original text of the wallet if that text differs. */
export function walletReasonWhole(reason: string, t: TFunction<"job">): string {
  const words = walletReason(reason, currentLanguage());
  return words === reason || !isUsualReason(reason) ? words : t("reason_whole", { words, reason });
}
