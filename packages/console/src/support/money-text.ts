/** Describes a player's payouts in one state as a sentence (behaviour §6). */
import { useTranslation } from "react-i18next";
import { holdsPayouts, STATE_FACTS } from "@red/contract/platform/codes";
import type { PayoutSum, PlayerHead } from "@red/contract/chances/player-view";
import { walletReasonWhole } from "#records/wallet-reason.ts";
import { grouped } from "#ui/format.ts";

/**
 * Returns a sentence about the exclusions that block queued payouts, with end and reason. Null if there is no such
 * exclusion.
 */
export function useHeldText(exclusions: PlayerHead["exclusions"]): string | null {
  const { t } = useTranslation(["player_view", "lookups"]);
  const holds = exclusions
    .filter(({ kind }) => holdsPayouts(kind))
    .map(({ kind, until, reason }) => {
      const key = until === null ? "money_held_endless" : "money_held_by";
      return t(key, { kind: t(`lookups:exclusion_${kind}`), until: until ?? "", reason });
    });
  return holds.length === 0
    ? null
    : t("money_held", { exclusions: holds.join(t("sentence_join")) });
}

export function useMoneyText(): (sum: PayoutSum) => string {
  const { t } = useTranslation(["player_view", "lookups"]);
  const { t: tJob } = useTranslation("job");

  /** Returns the reason if all payouts share one reason, otherwise each reason with its total. */
  function reasonOf({ count: all, reasons, other_reasons: others }: PayoutSum): string {
    const [first] = reasons;
    if (first === undefined || first.count === all) {
      return walletReasonWhole(first?.reason ?? "", tJob);
    }
    const named = reasons.map(({ reason, ...sum }) => ({
      ...sum,
      reason: reason === null ? tJob("no_reason") : walletReasonWhole(reason, tJob),
    }));
    const left = others.count > 0 ? [{ ...others, reason: tJob("other_reasons") }] : [];
    return [...named, ...left]
      .map((part) => t("money_part", { ...part, amount: grouped(part.amount) }))
      .join(t("sentence_join"));
  }

  return (sum) => {
    const { payout_state, count, amount, since } = sum;
    const state = t(`lookups:state_${payout_state}`);
    const what = STATE_FACTS[payout_state].isPhysical
      ? t("money_things", { count, state })
      : t("money_entry", { count, state, amount: grouped(amount) });
    const reason = reasonOf(sum);
    const why = reason === "" ? "" : t("money_reason", { reason });
    const when =
      since === null ? "" : t(count > 1 ? "money_since_oldest" : "money_since", { since });
    return `${what}${why}${when}${t("sentence_end")}`;
  };
}
