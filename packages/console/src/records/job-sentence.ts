/** Describes the outcome of a job in one sentence: `20 条已重新发送：12 到账，8 再次被拒（账户已关闭 7）`. */
import type { TFunction } from "i18next";
import type { Job } from "@red/contract/records/job";
import { walletReason } from "@red/contract/payouts/wallet-reason";
import { addTexts, currentLanguage } from "#lib/language.ts";
import { grouped } from "#ui/format.ts";
import { JOB_TEXTS } from "./job-texts.ts";

addTexts("job", JOB_TEXTS);

/** Maximum number of reasons in the sentence. The payouts with other reasons share one count. */
const NAMED = 3;

function reasonsOf({ reasons }: Job, t: TFunction<"job">): string {
  const named = reasons.slice(0, NAMED).map(({ reason, count }) => {
    const words = reason === "" ? t("no_reason") : walletReason(reason, currentLanguage());
    return t("reason_of", { reason: words, number: grouped(count) });
  });
  const others = reasons.slice(NAMED).reduce((sum, { count }) => sum + count, 0);
  if (others > 0) {
    named.push(t("reason_of", { reason: t("other_reasons"), number: grouped(others) }));
  }
  return named.length === 0
    ? ""
    : `${t("open_bracket")}${named.join(t("semicolon"))}${t("close_bracket")}`;
}

export function jobSentence(job: Job, t: TFunction<"job">): string {
  if (job.kind === "export") {
    return t(`file_${job.status}`, { count: job.done, fault: job.fault ?? "" });
  }
  const isAgain = job.kind === "reissue";
  // A payout under way may not have been sent yet, for example while payouts are stopped.
  const again = job.outcomes.some(({ outcome }) => outcome === "under_way")
    ? "again_under_way"
    : "sent_again";
  const head = t(isAgain ? again : "asked", { count: job.total ?? 0 });
  const parts = job.outcomes.map(({ outcome, count }) => {
    const key =
      outcome === "refused" && !isAgain
        ? "outcome_refused_of_asked"
        : (`outcome_${outcome}` as const);
    const text = t(key, { count });
    return outcome === "refused" ? `${text}${reasonsOf(job, t)}` : text;
  });
  return parts.length === 0 ? head : `${head}${t("colon")}${parts.join(t("comma"))}`;
}
