/** How many draws a rule grants to all players together (behaviour §16). */
import { ceilingOf, chancesOf, countedRule, earnedDraws } from "./chances.ts";
import type { Chances, DrawLimits, EarningFacts, RoundRule } from "./chances.ts";

/** The rule and limits of a round: with a player's rows they give the chances. */
export type GrantingRule = RoundRule & DrawLimits;

/** A player's figures under a rule. */
export interface Met {
  /** How often the rows meet the condition. */
  readonly met: number;
  /** Usable extra times of the group. */
  readonly extras: number;
}

/** Players with equal figures under a rule and under the rule before. */
export interface AlikePlayers {
  readonly count: number;
  readonly before: Met;
  readonly after: Met;
  /** Draws in the round, and those on extra times. */
  readonly already: number;
  readonly used: number;
}

/** Facts that meet the condition `met` times, by sum, largest row and full values alike. */
function factsFor(rule: GrantingRule, met: number): EarningFacts {
  const value = countedRule(rule)?.value_cents ?? 0;
  return { sum_cents: met * value, max_cents: met > 0 ? value : 0, fulls: met };
}

/** Chances on a day without draws, because a day's limit only lasts that day. */
function chancesBy(rule: GrantingRule, { met, extras }: Met, already = 0, used = 0): Chances {
  const counts = { already, extra_unused: extras, extra_used_here: used };
  const earned = earnedDraws(rule, factsFor(rule, met));
  return chancesOf({ ...counts, earned }, ceilingOf(rule, { already, drawn_today: 0 }));
}

const sumOf = (players: readonly AlikePlayers[], of: (one: AlikePlayers) => number) =>
  players.reduce((sum, one) => sum + one.count * of(one), 0);

/** Draws that the rule grants beyond the rule before; no player counts below 0. `before` null: a new round. */
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
