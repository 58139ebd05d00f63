/** Why a player can or cannot draw, as one sentence (behaviour §4): the console and the platform show the same. */
import type { TextValues } from "@red/contract/platform/errors";
import type { DrawGate, KnownThen, Standing } from "@red/contract/chances/explanation";
import { CODE_TEXTS } from "@red/contract/platform/code-texts";
import { grouped } from "@red/contract/platform/money";
import { STANDING_TEXTS } from "@red/contract/chances/standing-texts";
import { filled } from "@red/contract/platform/texts";
import type { Language } from "@red/contract/platform/texts";

/** A standing of now, or of a past time with what is known about it. */
type Told = Standing & { readonly known?: KnownThen | undefined };

/** Whether a draw is left and certainly nothing keeps the player from drawing. */
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

/** The limit that holds back some draws while others are left. */
function limitText(t: Texts, { reason, limited_by, remain, ...limits }: Standing): string[] {
  if (reason !== "left" || limited_by === null) {
    return [];
  }
  const max = limits[limited_by] ?? 0;
  // What the day's limit leaves is what the player has not drawn that day.
  return [t(`held_${limited_by}`, { max, today: max - remain })];
}

/** What earns the next draw; null: no amount does. */
function nextText(t: Texts, standing: Standing): string | null {
  const { missing, source, cumulative, total, already, condition_times, gates } = standing;
  // Draws earned after the end cannot be used.
  if (missing === null || source === null || gates.includes("ended")) {
    return null;
  }
  // A player who drew more than is granted owes draws: newly earned ones pay them back first.
  const times = condition_times - (Math.max(0, already - total) % condition_times);
  const values = { kind: t(`kind_${source}`), missing: grouped(missing), times };
  return t(cumulative ? "next_sum" : "next_row", values);
}

/**
 * The sentence: first everything that keeps the player from drawing, then the draws, then what earns the next one.
 * `blocked_since` is a time as in `standing`, or null when it is unknown or the player is not blocked.
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
  // Any part can come first.
  return sentence.charAt(0).toUpperCase() + sentence.slice(1) + t("sentence_end");
}
