/**
 * Describes the rule of a round in words with examples, for lists, forms, audit and the platform's
 * `rule_text` (behaviour §4).
 */
import { CONDITION_NAMES } from "@red/contract/platform/codes";
import type { PlatformCode } from "@red/contract/platform/codes";
import { CODE_TEXTS } from "@red/contract/platform/code-texts";
import { formatCentsShort } from "@red/contract/platform/money";
import type { Language } from "@red/contract/platform/texts";
import { ceilingOf, chancesOf, countedRule, earnedDraws, factsOf } from "./chances.ts";
import type { CountedRule, DrawLimits, RoundRule } from "./chances.ts";

/** The fields of a round that its sentence needs. The sentence shows the times unchanged. */
export interface RuleTextRound extends RoundRule, DrawLimits {
  /** Null: bets on all platforms count. */
  readonly platforms: readonly PlatformCode[] | null;
  readonly achieve_start_time: string;
  readonly achieve_end_time: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly turnover: number;
  /** Absent in the sentence for players. */
  readonly pool_name?: string | undefined;
  /** The group whose extra times count too; absent if its label is unknown. */
  readonly tag_label?: string | undefined;
}

function draws(count: number): string {
  return count === 1 ? "1 draw" : `${count} draws`;
}

function platformsText({ platforms }: RuleTextRound, language: Language): string {
  const names = platforms?.map((code) => CODE_TEXTS[language][`platform_${code}`]);
  if (names === undefined) {
    return "";
  }
  return language === "zh" ? `（仅限${names.join("、")}）` : ` on ${names.join(", ")}`;
}

function conditionZh(round: RuleTextRound, rule: CountedRule): string {
  const window = `${round.achieve_start_time} 至 ${round.achieve_end_time}`;
  const noun = rule.source === "deposit" ? "有效存款" : "有效投注";
  const rows = `${noun}${platformsText(round, "zh")}`;
  const value = formatCentsShort(rule.value_cents);
  const gain = `获得 ${rule.times} 次抽奖`;
  if (rule.cumulative) {
    return rule.repeatable
      ? `玩家在 ${window} 的${rows}合计每满 ${value}，${gain}，可重复获得`
      : `玩家在 ${window} 的${rows}合计达到 ${value}，${gain}，仅限一次`;
  }
  return rule.repeatable
    ? `玩家在 ${window} 的单笔${rows}每满 ${value}，${gain}，各笔分开计算，可重复获得`
    : `玩家在 ${window} 有一笔${rows}达到 ${value}，${gain}，仅限一次`;
}

function conditionEn(round: RuleTextRound, rule: CountedRule): string {
  const window = `${platformsText(round, "en")} from ${round.achieve_start_time} to ${round.achieve_end_time}`;
  const row = `valid ${rule.source}`;
  const value = formatCentsShort(rule.value_cents);
  const gain = draws(rule.times);
  if (rule.cumulative) {
    return rule.repeatable
      ? `A player earns ${gain} for every full ${value} of all ${row}s${window} together, any number of times`
      : `A player earns ${gain} once all ${row}s${window} together reach ${value}, one time only`;
  }
  return rule.repeatable
    ? `A player earns ${gain} for every full ${value} of a single ${row}${window}, each ${rule.source} counted by itself, any number of times`
    : `A player earns ${gain} once a single ${row}${window} reaches ${value}, one time only`;
}

/** Omits the condition window, because it has no meaning without deposits or bets. */
function openCondition(rule: RuleTextRound, language: Language): string {
  const { tag_label } = rule;
  if (rule.condition_name === CONDITION_NAMES.whitelist) {
    const [group, ofGroup] =
      tag_label === undefined ? ["", ""] : [`「${tag_label}」组别`, ` of group “${tag_label}”`];
    return language === "zh"
      ? `仅限获得${group}额外次数的玩家参加，每个额外次数可抽奖一次`
      : `Only players who were granted extra draws${ofGroup} take part, one draw for each`;
  }
  return language === "zh"
    ? `所有玩家无需存款或投注，每人 ${rule.condition_times} 次抽奖`
    : `Every player has ${draws(rule.condition_times)}, no deposit or bet needed`;
}

/** Adds the extra times to the sentence; the sentence of a whitelist rule already names them. */
function extraText({ condition_name, tag_label }: RuleTextRound, language: Language): string {
  if (tag_label === undefined || condition_name === CONDITION_NAMES.whitelist) {
    return "";
  }
  return language === "zh"
    ? `，另加「${tag_label}」组别的额外次数`
    : `, plus the extra draws granted in group “${tag_label}”`;
}

/** Returns the limits as a part of the sentence; "" if there is no limit. */
function limitsText({ draws_max, day_draws_max }: DrawLimits, language: Language): string {
  const isZh = language === "zh";
  const parts = [
    draws_max !== null &&
      (isZh ? `本活动最多 ${draws_max} 次` : `at most ${draws(draws_max)} in this activity`),
    day_draws_max !== null &&
      (isZh
        ? `每天在各活动合计抽满 ${day_draws_max} 次后，当天不能再抽本活动`
        : `no further draw here that day once the day's draws in all activities together reach ${day_draws_max}`),
  ].filter((part) => part !== false);
  if (parts.length === 0) {
    return "";
  }
  return isZh ? `；每位玩家${parts.join("，")}` : `; each player gets ${parts.join(" and ")}`;
}

/**
 * Returns the rule as one sentence: who earns how many draws, how and when; the extra times of the group, if
 * it has a name; the draw limits; the draw times; the pool, if it has a name; and the turnover on prize
 * money. Throws RangeError like `countedRule`.
 */
export function ruleText(round: RuleTextRound, language: Language): string {
  const rule = countedRule(round);
  const { start_time, end_time, turnover, pool_name } = round;
  const extra = `${extraText(round, language)}${limitsText(round, language)}`;
  if (language === "zh") {
    const condition = rule === null ? openCondition(round, "zh") : conditionZh(round, rule);
    const pool = pool_name === undefined ? "" : `，奖池「${pool_name}」`;
    return `${condition}${extra}；抽奖时间 ${start_time} 至 ${end_time}${pool}；奖金须完成 ${turnover} 倍流水。`;
  }
  const condition = rule === null ? openCondition(round, "en") : conditionEn(round, rule);
  const pool = pool_name === undefined ? "" : ` from pool “${pool_name}”`;
  return `${condition}${extra}; draws${pool} run from ${start_time} to ${end_time}; prize money carries ${turnover}× turnover.`;
}

function result(count: number, language: Language): string {
  return language === "zh" ? `${count} 次` : draws(count);
}

/** Amounts of deposits or bets, in cents. */
export type Rows = readonly number[];

/** Returns two sets of equal rows that best show what the rule counts. */
export function sampleRows({
  cumulative,
  repeatable,
  value_cents,
}: CountedRule): readonly [Rows, Rows] {
  const twoAndAHalf = 2 * value_cents + Math.floor(value_cents / 2);
  const justBelow = value_cents - 1;
  if (cumulative) {
    return repeatable ? [[twoAndAHalf], [justBelow]] : [[value_cents], [2 * value_cents]];
  }
  const bothJustBelow = [justBelow, justBelow];
  return [repeatable ? [twoAndAHalf] : [value_cents, value_cents], bothJustBelow];
}

/** Returns what the player did, in words: the sum for a cumulative rule, otherwise number and amount of the rows. */
export function rowsText(
  rule: Pick<CountedRule, "source" | "cumulative">,
  rows: Rows,
  language: Language,
): string {
  const each = formatCentsShort(rows[0] ?? 0);
  const deposit = rule.source === "deposit";
  if (language === "zh") {
    const noun = deposit ? "存款" : "投注";
    if (rule.cumulative) {
      return `累计${noun} ${each}`;
    }
    return rows.length === 1 ? `一笔${noun} ${each}` : `两笔${noun}各 ${each}`;
  }
  if (rule.cumulative) {
    return `${rule.source}s of ${each} in total`;
  }
  return rows.length === 1
    ? `one ${rule.source} of ${each}`
    : `two ${rule.source}s of ${each} each`;
}

/** Returns the draws of a player who has not drawn yet. */
export function totalFor(limits: DrawLimits, earned: number, extra_unused: number): number {
  const counts = { earned, already: 0, extra_unused, extra_used_here: 0 };
  return chancesOf(counts, ceilingOf(limits, { already: 0, drawn_today: 0 })).total;
}

/**
 * Returns how many extra times an example has besides `total`: 1, or with limits the first number that exceeds them.
 */
export function sampleExtras(limits: DrawLimits, total: number): number {
  const { most } = ceilingOf(limits, { already: 0, drawn_today: 0 });
  return Number.isFinite(most) ? most + 1 - total : 1;
}

/** `group` is null if the text does not name the group. */
export function extrasText(count: number, group: string | null, language: Language): string {
  if (language === "zh") {
    return `${group === null ? "" : `「${group}」组别的`}额外次数 ${count} 个`;
  }
  const granted = count === 1 ? "1 extra draw granted" : `${count} extra draws granted`;
  return `${granted}${group === null ? "" : ` in group “${group}”`}`;
}

/** Returns examples of a rule without deposits and bets, where only the round itself and extra times give draws. */
function openExamples(rule: RoundRule & DrawLimits, language: Language): readonly [string, string] {
  const earned = earnedDraws(rule, factsOf([], rule.condition_value_cents));
  const chances = (extras: number) => result(totalFor(rule, earned, extras), language);
  const extras = sampleExtras(rule, totalFor(rule, earned, 0));
  const none = language === "zh" ? "没有额外次数" : "no extra draw granted";
  return [`${none} → ${chances(0)}`, `${extrasText(extras, null, language)} → ${chances(extras)}`];
}

/**
 * Returns short examples, "what the player did → draws": two with rows that count or do not count, and one
 * with `sampleExtras`. `earnedDraws` and `chancesOf` compute them, so the examples can never contradict the
 * draws. Throws RangeError like `countedRule`.
 */
export function workedExample(rule: RoundRule & DrawLimits, language: Language): readonly string[] {
  const counted = countedRule(rule);
  if (counted === null) {
    return openExamples(rule, language);
  }
  const totalOf = (rows: Rows, extras: number) =>
    totalFor(rule, earnedDraws(rule, factsOf(rows, counted.value_cents)), extras);
  const example = (rows: Rows, extras: number) => {
    const and = language === "zh" ? "，另有" : " and ";
    const extra = extras === 0 ? "" : `${and}${extrasText(extras, null, language)}`;
    return `${rowsText(counted, rows, language)}${extra} → ${result(totalOf(rows, extras), language)}`;
  };
  const [first, second] = sampleRows(counted);
  const beyond = sampleExtras(rule, totalOf(first, 0));
  return [example(first, 0), example(second, 0), example(first, beyond)];
}
