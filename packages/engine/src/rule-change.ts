/**
 * The effect of a new rule on a round in which players already earn draws (behaviour §4). Tells whether the
 * rule changes their chances, and gives examples of the same player under both rules.
 */
import { CONDITION_NAMES } from "@red/contract/platform/codes";
import type { Language } from "@red/contract/platform/texts";
import { countedRule, earnedDraws, factsOf, NO_FACTS } from "./chances.ts";
import type { CountedRule } from "./chances.ts";
import { extrasText, rowsText, sampleExtras, sampleRows, totalFor } from "./rule-text.ts";
import type { Rows, RuleTextRound } from "./rule-text.ts";

export interface ComparedRound extends RuleTextRound {
  readonly tag: string;
}

export type RuleChange =
  /** Nothing in the rule changed. */
  | "none"
  /** Draw times, pool or turnover changed, but every player keeps the same number of chances. */
  | "draws"
  /** The number of chances changed. */
  | "chances";

/**
 * Returns true if both rules count rows of the same kind, because only then can their condition windows be compared.
 */
function countsSame(before: ComparedRound, after: ComparedRound): boolean {
  return countedRule(before) !== null && before.condition_name === after.condition_name;
}

/**
 * Returns true if both rules count rows of the same kind in different time windows. A window that no rule
 * reads, such as on a whitelist, makes no difference. Throws RangeError like `countedRule`.
 */
export function movesWindow(before: ComparedRound, after: ComparedRound): boolean {
  return (
    countsSame(before, after) &&
    (before.achieve_start_time !== after.achieve_start_time ||
      before.achieve_end_time !== after.achieve_end_time)
  );
}

function earnsSame(before: ComparedRound, after: ComparedRound): boolean {
  if (
    before.condition_name !== after.condition_name ||
    before.draws_max !== after.draws_max ||
    before.day_draws_max !== after.day_draws_max ||
    before.platforms?.join() !== after.platforms?.join()
  ) {
    return false;
  }
  if (before.condition_name === CONDITION_NAMES.whitelist) {
    return true;
  }
  return (
    before.condition_times === after.condition_times &&
    (before.condition_name === CONDITION_NAMES.no_limit ||
      (before.condition_formula === after.condition_formula &&
        before.condition_type === after.condition_type &&
        before.condition_value_cents === after.condition_value_cents &&
        !movesWindow(before, after)))
  );
}

/** Returns the kind of change with the largest effect. Throws RangeError like `countedRule`. */
export function ruleChange(before: ComparedRound, after: ComparedRound): RuleChange {
  if (before.tag !== after.tag || !earnsSame(before, after)) {
    return "chances";
  }
  return before.start_time === after.start_time &&
    before.end_time === after.end_time &&
    before.pool_name === after.pool_name &&
    before.turnover === after.turnover
    ? "none"
    : "draws";
}

/** What a player did in an example, with extra times of at most one group. */
interface Deed {
  /** Null for a player without deposits and bets. */
  readonly source: CountedRule["source"] | null;
  readonly rows: Rows;
  readonly tag: string | null;
  readonly extras: number;
}

const NO_EXTRAS = { tag: null, extras: 0 };

/** Returns the amounts from the examples of both rules, without repeats. */
function rowDeeds(rules: readonly CountedRule[]): readonly Deed[] {
  const deeds = new Map<string, Deed>();
  for (const rule of rules) {
    const { source } = rule;
    for (const rows of sampleRows(rule)) {
      const key = `${source} ${rows.join(" ")}`;
      deeds.set(key, deeds.get(key) ?? { source, rows, ...NO_EXTRAS });
    }
  }
  return deeds.size === 0 ? [{ source: null, rows: [], ...NO_EXTRAS }] : [...deeds.values()];
}

function totalOf(round: ComparedRound, { source, rows, tag, extras }: Deed): number {
  const counted = countedRule(round);
  const facts = counted?.source === source ? factsOf(rows, counted.value_cents) : NO_FACTS;
  return totalFor(round, earnedDraws(round, facts), tag === round.tag ? extras : 0);
}

export interface ComparedExample {
  /** What the player did, in words. */
  readonly did: string;
  /** Number of draws under the first rule; `after` is the number under the second rule. */
  readonly before: number;
  readonly after: number;
}

/**
 * Returns examples of both rules with the same amounts, computed by `earnedDraws` and `totalFor`. Equal rules
 * give the examples of `workedExample`. The amounts count as inside both windows. If the groups differ, each
 * group gets an example with its extra times. With draw limits the number of extra times exceeds both limits,
 * so that an example shows their effect. Throws RangeError like `countedRule`.
 */
export function comparedExamples(
  before: ComparedRound,
  after: ComparedRound,
  language: Language,
): readonly ComparedExample[] {
  const rules = [countedRule(before), countedRule(after)].filter((rule) => rule !== null);
  const groups = before.tag === after.tag ? [before] : [before, after];
  const didText = ({ source, rows, tag, extras }: Deed): string => {
    const round = groups.find((each) => each.tag === tag);
    const group = groups.length === 1 ? null : (round?.tag_label ?? round?.tag ?? null);
    const extra = round && extrasText(extras, group, language);
    if (source === null) {
      return extra ?? (language === "zh" ? "没有额外次数" : "no extra draw granted");
    }
    // Cumulative rules need only the sum; other rules need the single rows too.
    const cumulative = rules.every((rule) => rule.source !== source || rule.cumulative);
    const did = rowsText({ source, cumulative }, rows, language);
    return extra === undefined ? did : `${did}${language === "zh" ? "，另有" : " and "}${extra}`;
  };
  const deeds = rowDeeds(rules);
  const withExtra = deeds.slice(0, 1).flatMap((deed) => {
    const beyond = [before, after].map((round) => sampleExtras(round, totalOf(round, deed)));
    return groups.map(({ tag }) => ({ ...deed, tag, extras: Math.max(...beyond) }));
  });
  return [...deeds, ...withExtra].map((deed) => ({
    did: didText(deed),
    before: totalOf(before, deed),
    after: totalOf(after, deed),
  }));
}
