/** How many draws a rule grants to all players together (behaviour §16). */
import { ceilingOf, chancesOf, countedRule, earnedDraws } from "./chances.ts";
import type { Chances, DrawLimits, EarningFacts, RoundRule } from "./chances.ts";

/** What decides a round's chances, but for the rows. */
export type GrantingRule = RoundRule & DrawLimits;

/** Of a player under a rule. */
export interface Met {
  /** How often the rows meet the condition. */
  readonly met: number;
  /** Usable extra times of the group. */
  readonly extras: number;
}

/** Players who are alike under a rule and under the one before. */
export interface AlikePlayers {
  readonly count: number;
  readonly before: Met;
  readonly after: Met;
  /** Draws in the round, and those on extra times. */
  readonly already: number;
  readonly used: number;
}

/** Facts that meet the condition so often, whatever the rule reads of them. */
function factsFor(rule: GrantingRule, met: number): EarningFacts {
  const value = countedRule(rule)?.value_cents ?? 0;
  return { sum_cents: met * value, max_cents: met > 0 ? value : 0, fulls: met };
}

/** Without what was drawn today: the limit of a day lasts a day. */
function chancesBy(rule: GrantingRule, { met, extras }: Met, already = 0, used = 0): Chances {
  const counts = { already, extra_unused: extras, extra_used_here: used };
  const earned = earnedDraws(rule, factsFor(rule, met));
  return chancesOf({ ...counts, earned }, ceilingOf(rule, { already, drawn_today: 0 }));
}

const sumOf = (players: readonly AlikePlayers[], of: (one: AlikePlayers) => number) =>
  players.reduce((sum, one) => sum + one.count * of(one), 0);

/** Draws that the rule grants beyond those of the one before, to no player less than none; before a new round, null grants none. */
export function grownDraws(
  before: GrantingRule | null,
  after: GrantingRule,
  players: readonly AlikePlayers[],
): number {
  const was = (one: AlikePlayers) => (before === null ? 0 : chancesBy(before, one.before).total);
  return sumOf(players, (one) => Math.max(0, chancesBy(after, one.after).total - was(one)));
}

/** Draws that players hold in the round. */
export function heldDraws(rule: GrantingRule, players: readonly AlikePlayers[]): number {
  return sumOf(players, ({ after, already, used }) => chancesBy(rule, after, already, used).remain);
}
