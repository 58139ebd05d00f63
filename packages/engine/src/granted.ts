/** Computes how many draws a rule grants to all players together (behaviour §16). */
import { ceilingOf, chancesOf, countedRule, earnedDraws } from "./chances.ts";
import type { Chances, DrawLimits, EarningFacts, RoundRule } from "./chances.ts";

/** The rule and limits of a round. Together with a player's rows they determine the chances. */
export type GrantingRule = RoundRule & DrawLimits;

/** A player's figures under a rule. */
export interface Met {
  /** Number of times that the player's rows meet the condition. */
  readonly met: number;
  /** Number of usable extra times of the group. */
  readonly extras: number;
}

/** Players with equal figures, both under the new rule and under the previous rule. */
export interface AlikePlayers {
  readonly count: number;
  readonly before: Met;
  readonly after: Met;
  /** Number of draws made in the round. `used` is the number of them made on extra times. */
  readonly already: number;
  readonly used: number;
}

/** Returns facts that meet the condition `met` times under every formula: by sum, by largest row and by full values. */
function factsFor(rule: GrantingRule, met: number): EarningFacts {
  const value = countedRule(rule)?.value_cents ?? 0;
  return { sum_cents: met * value, max_cents: met > 0 ? value : 0, fulls: met };
}

/** Returns the chances on a day without draws, because a daily limit lasts only for that day. */
function chancesBy(rule: GrantingRule, { met, extras }: Met, already = 0, used = 0): Chances {
  const counts = { already, extra_unused: extras, extra_used_here: used };
  const earned = earnedDraws(rule, factsFor(rule, met));
  return chancesOf({ ...counts, earned }, ceilingOf(rule, { already, drawn_today: 0 }));
}

const sumOf = (players: readonly AlikePlayers[], of: (one: AlikePlayers) => number) =>
  players.reduce((sum, one) => sum + one.count * of(one), 0);

/**
 * Returns how many draws the new rule grants beyond the previous rule. A player who loses draws counts as 0.
 * `before` is null for a new round.
 */
export function grownDraws(
  before: GrantingRule | null,
  after: GrantingRule,
  players: readonly AlikePlayers[],
): number {
  const was = (one: AlikePlayers) => (before === null ? 0 : chancesBy(before, one.before).total);
  return sumOf(players, (one) => Math.max(0, chancesBy(after, one.after).total - was(one)));
}

/** Returns how many unused draws all players have in the round. */
export function heldDraws(rule: GrantingRule, players: readonly AlikePlayers[]): number {
  return sumOf(players, ({ after, already, used }) => chancesBy(rule, after, already, used).remain);
}
