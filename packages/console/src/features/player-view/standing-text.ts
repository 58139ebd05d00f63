/** Why a player can or cannot draw, as one sentence (behaviour §4). */
import { useTranslation } from "react-i18next";
import type { DrawGate, Standing } from "@red/contract/explanation";
import { grouped } from "#ui/format.ts";

export function canDraw({ gates, remain }: Standing): boolean {
  return gates.length === 0 && remain > 0;
}

function useTexts() {
  return useTranslation("player_view").t;
}
type Texts = ReturnType<typeof useTexts>;

function gateText(t: Texts, gate: DrawGate, standing: Standing, since: string | null): string {
  switch (gate) {
    case "blocked":
      return since === null ? t("gate_blocked") : t("gate_blocked_since", { since });
    case "not_started":
      return t("gate_not_started", { start: standing.start_time });
    case "ended":
      return t("gate_ended", { end: standing.end_time });
    case "draws_stopped":
    case "pool_stopped":
    case "paused":
    case "sold_out":
      return t(`gate_${gate}`);
    default:
      return gate satisfies never;
  }
}

function reasonText(t: Texts, standing: Standing): string {
  const { reason, count, total, already, remain } = standing;
  const source = standing.source ?? "deposit";
  const kind = t(`kind_${source}`);
  const amount = grouped(standing.amount ?? "0");
  const value = grouped(standing.condition_value);
  switch (reason) {
    case "left":
      return t(canDraw(standing) ? "can_draw" : "left", { total, already, remain });
    case "all_used":
      return t("all_used", { count: total, total });
    case "taken_back":
      return t("taken_back", { total, already });
    case "no_extra":
      return t("no_extra");
    case "sum_below":
    case "largest_below":
      return t(reason, { kind, amount, value });
    case "all_cancelled":
      return t("all_cancelled", { kind, amount, count, gone: t(`gone_${source}`) });
    case "outside_window": {
      const key = standing.side === "after_window" ? "outside_after" : "outside_before";
      return t(key, { kind, amount, at: standing.at ?? "" });
    }
    case "other_kind": {
      const other = t(source === "deposit" ? "kind_bet" : "kind_deposit");
      return t("other_kind", { kind, other, amount, count });
    }
    case "no_rows":
      return t("no_rows", { kind });
    default:
      return reason satisfies never;
  }
}

/** What earns the next draw; null when no amount can. */
function nextText(t: Texts, standing: Standing): string | null {
  const { missing, source, cumulative, total, already, condition_times, gates } = standing;
  // What is earned after the end cannot be drawn.
  if (missing === null || source === null || gates.includes("ended")) {
    return null;
  }
  // Draws beyond the granted ones are owed: the next ones earned make up for them first.
  const times = condition_times - (Math.max(0, already - total) % condition_times);
  const values = { kind: t(`kind_${source}`), missing: grouped(missing), times };
  return t(cumulative ? "next_sum" : "next_row", values);
}

/** First everything that keeps the player from drawing, then the draws, then what earns the next one. */
export function useStandingText(): (standing: Standing, blocked_since: string | null) => string {
  const t = useTexts();
  return (standing, blocked_since) => {
    const parts = [
      ...standing.gates.map((gate) => gateText(t, gate, standing, blocked_since)),
      reasonText(t, standing),
    ];
    const next = nextText(t, standing);
    const sentence = [...parts, ...(next === null ? [] : [next])].join(t("sentence_join"));
    // Any part can come first.
    return sentence.charAt(0).toUpperCase() + sentence.slice(1) + t("sentence_end");
  };
}
