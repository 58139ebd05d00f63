/** What has become of the money of a record, as support says it to a player (behaviour §6). */
import { useTranslation } from "react-i18next";
import type { DrawRecord } from "@red/contract/record";

export function usePayoutWords(): (record: DrawRecord) => string {
  const { t } = useTranslation("player_view");
  return ({ payout_state, unknown_since, fail_reason, note, paid_at }) => {
    switch (payout_state) {
      case "queued":
      case "sending":
      case "waiting_delivery":
        return t(`words_${payout_state}`);
      case "unknown":
      case "check":
        return t(`words_${payout_state}`, { since: unknown_since ?? "" });
      case "paid":
        return t("words_paid", { time: paid_at ?? "" });
      case "delivered":
        return note === null
          ? t("words_delivered", { time: paid_at ?? "" })
          : t("words_delivered_note", { time: paid_at ?? "", note });
      case "refused":
        return t("words_refused", { reason: fail_reason ?? "" });
      case "closed":
        return t("words_closed", { reason: note ?? fail_reason ?? "" });
      default:
        return payout_state satisfies never;
    }
  };
}
