/** Converts explanations to their API form: times in the format of the caller, amounts as decimal text. */
import type {
  Explanation as ExplanationOnWire,
  ExplainedExtra,
  ExplainedRow,
  KnownThen,
  Standing as StandingOnWire,
  SupportExplanation,
} from "@red/contract/chances/explanation";
import { formatCents, formatCentsShort } from "@red/contract/platform/money";
import type { Language } from "@red/contract/platform/texts";
import { countedRule } from "@red/engine/chances";
import { ruleText } from "@red/engine/rule-text";
import type { ChanceRound } from "#rounds/activity-sql";
import type { Explanation, Standing, JudgedRow } from "./explanation-sql.ts";
import { arrivalOf } from "#events/event-columns";
import type { EventRow } from "#events/event-columns";
import type { PlayerDraw, PlayerExtra } from "./player-view-sql.ts";

/** Formats a time: operator calls and platform calls use different formats (behaviour §1). */
export type TimeText = (instant: Date) => string;

function centsOrNull(cents: number | bigint | null): string | null {
  return cents === null ? null : formatCents(cents);
}

function timesOf(round: ChanceRound, timeText: TimeText) {
  return {
    start_time: timeText(round.start_time),
    end_time: timeText(round.end_time),
    achieve_start_time: timeText(round.achieve_start_time),
    achieve_end_time: timeText(round.achieve_end_time),
  };
}

export function toStanding(standing: Standing, timeText: TimeText): StandingOnWire {
  const { round, chances, gates, exclusion, answer, nearest, missing_cents } = standing;
  const counted = countedRule(round);
  return {
    rounds_id: round.id,
    rounds_name: round.rounds_name,
    tag: round.tag,
    ...timesOf(round, timeText),
    source: counted?.source ?? null,
    condition_name: round.condition_name,
    cumulative: counted?.cumulative ?? false,
    repeatable: counted?.repeatable ?? false,
    condition_value: formatCentsShort(round.condition_value_cents),
    condition_times: round.condition_times,
    ...chances,
    draws_max: round.draws_max,
    day_draws_max: round.day_draws_max,
    gates: [...gates],
    exclusion: exclusion && {
      kind: exclusion.kind,
      until: exclusion.until && timeText(exclusion.until),
    },
    reason: answer.reason,
    count: answer.count,
    amount: centsOrNull(answer.amount_cents),
    at: nearest && timeText(nearest.row.created_at),
    side: nearest?.side ?? null,
    missing: centsOrNull(missing_cents),
  };
}

function toRow(row: EventRow, timeText: TimeText) {
  const { no, channel, platform, cancelled_at, cancel_reason } = row;
  return {
    no,
    amount: formatCents(row.amount_cents),
    ...arrivalOf(row, timeText),
    channel,
    platform,
    cancelled_at: cancelled_at && timeText(cancelled_at),
    cancel_reason,
  };
}

function toExplainedRow(judged: JudgedRow, timeText: TimeText): ExplainedRow {
  const { row, verdict, draws, sum_cents, crossed_cents } = judged;
  return {
    ...toRow(row, timeText),
    verdict,
    sum: centsOrNull(sum_cents),
    crossed: centsOrNull(crossed_cents),
    draws,
  };
}

function useOf(extra: PlayerExtra, round: Standing["round"]): ExplainedExtra["use"] {
  if (extra.taken_back !== null) {
    return "taken_back";
  }
  if (extra.rounds_id !== null) {
    return extra.rounds_id === round.id ? "used_here" : "used_elsewhere";
  }
  if (extra.is_expired) {
    return "expired";
  }
  return extra.tag === round.tag ? "unused" : "other_group";
}

function toExtra(extra: PlayerExtra, round: Standing["round"], timeText: TimeText): ExplainedExtra {
  const { id, tag, rounds_id, rounds_name, taken_back: gone } = extra;
  const taken_back = gone && { ...gone, at: timeText(new Date(gone.at)) };
  const expire_time = timeText(extra.expire_time);
  return { id, tag, expire_time, use: useOf(extra, round), taken_back, rounds_id, rounds_name };
}

function toDraw({ award_price_cents, created_at, ...draw }: PlayerDraw, timeText: TimeText) {
  return {
    ...draw,
    award_price: formatCents(award_price_cents),
    created_at: timeText(created_at),
  };
}

export function ruleOf(round: ChanceRound, timeText: TimeText, language: Language): string {
  return ruleText({ ...round, ...timesOf(round, timeText) }, language);
}

export function toExplanation(
  explanation: Explanation,
  timeText: TimeText,
  language: Language,
): ExplanationOnWire {
  const { round, judged, others, extras, draws, use } = explanation;
  return {
    ...toStanding(explanation, timeText),
    rule_text: ruleOf(round, timeText, language),
    earned: explanation.earned,
    extra_unused: use.extra_unused,
    extra_used_here: use.extra_used_here,
    sum: formatCents(explanation.facts.sum_cents),
    rows: judged.rows.map((row) => toExplainedRow(row, timeText)),
    more: {
      count: judged.more.count,
      amount: formatCents(judged.more.sum_cents),
      draws: judged.more.draws,
    },
    others: others.map(({ kind, live, rows }) => ({
      kind,
      count: live.count,
      amount: formatCents(live.sum_cents),
      rows: rows.map((row) => toRow(row, timeText)),
    })),
    extras: extras.rows.map((extra) => toExtra(extra, round, timeText)),
    extras_more: extras.total - extras.rows.length,
    draws: draws.map((draw) => toDraw(draw, timeText)),
    draws_more: explanation.chances.already - draws.length,
  };
}

/**
 * Adds what is unknown about a past second: the system stores no history of stock, and no history
 * of blocks that have ended (behaviour §4).
 */
export function asKnown(explanation: ExplanationOnWire, as_of: string): SupportExplanation {
  const { rows, gates } = explanation;
  const unknown: KnownThen["unknown"] = [
    ...(rows.some(({ received_at }) => received_at === null) ? ["arrival" as const] : []),
    ...(gates.includes("blocked") ? [] : ["blocked" as const]),
    "sold_out",
  ];
  const known = { as_of, unknown };
  return { ...explanation, gates: gates.filter((gate) => gate !== "sold_out"), known };
}
