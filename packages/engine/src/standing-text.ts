/**
 * Explains in one sentence why a player can or cannot draw (behaviour §4). Console and platform show the same sentence.
 */
import type { TextValues } from "@red/contract/platform/errors";
import type { DrawGate, KnownThen, Standing } from "@red/contract/chances/explanation";
import { CODE_TEXTS } from "@red/contract/platform/code-texts";
import { grouped } from "@red/contract/platform/money";
import { STANDING_TEXTS } from "@red/contract/chances/standing-texts";
import { filled } from "@red/contract/platform/texts";
import type { Language } from "@red/contract/platform/texts";

/** A standing of now, or of a past time together with what is known about that time. */
type Told = Standing & { readonly known?: KnownThen | undefined };

/** Returns true if a draw is left and certainly nothing blocks the player. */
export function canDraw({ gates, remain, known }: Told): boolean {
  const isKnown = known?.unknown.every((what) => what === "arrival") ?? true;
  return gates.length === 0 && remain > 0 && isKnown;
}

type Texts = (key: keyof typeof STANDING_TEXTS.zh, values?: TextValues) => string;

function gateText(
  t: Texts,
  gate: DrawGate,
  standing: Standing,
  since: string | null,
  language: Language,
): string {
  switch (gate) {
    case "blocked":
      return since === null ? t("gate_blocked") : t("gate_blocked_since", { since });
    case "excluded": {
      const { kind, until } = standing.exclusion ?? { kind: "self", until: null };
      const why = { kind: CODE_TEXTS[language][`exclusion_${kind}`] };
      return until === null
        ? t("gate_excluded_endless", why)
        : t("gate_excluded", { ...why, until });
    }
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

function reasonText(t: Texts, standing: Told): string {
  const { reason, count, total, already, remain } = standing;
  const source = standing.source ?? "deposit";
  const kind = t(`kind_${source}`);
  const amount = grouped(standing.amount ?? "0");
  const value = grouped(standing.condition_value);
  switch (reason) {
    case "left":
      return t(canDraw(standing) ? "can_draw" : "left", { total, already, remain });
    case "all_used":
      return t("all_used", { total, count: total });
    case "taken_back":
      return t("taken_back", { total, already });
    case "draws_max":
    case "day_draws_max":
      return t(reason, { already, max: standing[reason] ?? 0 });
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
    case "other_platform":
      return t("other_platform", { amount, count });
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

/** Returns the limit that blocks some draws while other draws are left. */
function limitText(t: Texts, { reason, limited_by, remain, ...limits }: Standing): string[] {
  if (reason !== "left" || limited_by === null) {
    return [];
  }
  const max = limits[limited_by] ?? 0;
  // The daily limit minus the remaining draws is the number of draws already made that day.
  return [t(`held_${limited_by}`, { max, today: max - remain })];
}

/** Returns what earns the next draw; null if no amount does. */
function nextText(t: Texts, standing: Standing): string | null {
  const { missing, source, cumulative, total, already, condition_times, gates } = standing;
  // After the end of the round, earned draws cannot be used.
  if (missing === null || source === null || gates.includes("ended")) {
    return null;
  }
  // If a player drew more often than is granted, the next earned draws only replace the surplus.
  const times = condition_times - (Math.max(0, already - total) % condition_times);
  const values = { kind: t(`kind_${source}`), missing: grouped(missing), times };
  return t(cumulative ? "next_sum" : "next_row", values);
}

/**
 * Returns the sentence: first everything that blocks the player, then the draws, then what earns the next draw.
 * `blocked_since` is a time as in `standing`, or null if the time is unknown or the player is not blocked.
 */
export function standingText(
  standing: Told,
  blocked_since: string | null,
  language: Language,
): string {
  const texts: Readonly<Record<string, string>> = STANDING_TEXTS[language];
  const t: Texts = (key, values = {}) => {
    const one = values["count"] === 1 ? texts[`${key}_one`] : undefined;
    return filled(one ?? STANDING_TEXTS[language][key], values, language);
  };
  const next = nextText(t, standing);
  const parts = [
    ...standing.gates.map((gate) => gateText(t, gate, standing, blocked_since, language)),
    reasonText(t, standing),
    ...limitText(t, standing),
    ...(next === null ? [] : [next]),
  ];
  const sentence = parts.join(t("sentence_join"));
  // Any part of the sentence can come first, so the first letter is made upper case here.
  return sentence.charAt(0).toUpperCase() + sentence.slice(1) + t("sentence_end");
}
