/**
 * Computes what a change of rounds or prizes may cost (behaviour §16). Read the state before the change first, the risk
 * after it. Reading the draws ahead may take a second, so do it before taking locks that draws wait for.
 */
import { DAY_MS, formatDate } from "@red/contract/platform/datetime";
import { countedRule } from "@red/engine/chances";
import { grownDraws, heldDraws } from "@red/engine/granted";
import { riskOfChange } from "@red/engine/risk";
import type { CountingRound, Risk, Standing } from "@red/engine/risk";
import { sql } from "kysely";
import type { Tx } from "#platform/db/connection";
import { selectAlike } from "./granted-sql.ts";
import type { WindowedRule } from "./granted-sql.ts";
import type { RuledRound } from "./standing-sql.ts";
import {
  selectCounting,
  selectDays,
  selectPeaks,
  selectStandingPools,
  selectUsual,
} from "./standing-sql.ts";

/** Number of days before today. Their rows in the same hours show how many draws a rule may grant. */
const DAYS_BACK = 7;

/** Time in ms to reuse a result about more than MANY players. */
const KEPT_MS = 30_000;
const MANY = 10_000;
const kept = new Map<string, { readonly until: number; readonly draws: number }>();

const GRANTING = [
  "condition_name",
  "condition_formula",
  "condition_type",
  "condition_value_cents",
  "condition_times",
  "achieve_start_time",
  "achieve_end_time",
  "draws_max",
  "day_draws_max",
  "platforms",
  "tag",
] as const satisfies readonly (keyof WindowedRule)[];

const partOf = (rule: WindowedRule | null) => JSON.stringify(GRANTING.map((key) => rule?.[key]));

/**
 * Returns the largest number of draws over today and the days back. Counts the draws that `after` grants in addition to
 * `before` (null: no rule), or the draws that players have in the round `drawn_in`.
 */
async function mostDraws(
  tx: Tx,
  before: WindowedRule | null,
  after: WindowedRule,
  drawn_in: number | null,
): Promise<number> {
  const key = `${drawn_in} ${partOf(before)} ${partOf(after)}`;
  const known = kept.get(key);
  if (known !== undefined && known.until > performance.now()) {
    return known.draws;
  }
  const isCounted = [before, after].some((rule) => rule !== null && countedRule(rule) !== null);
  let [draws, most] = [0, 0];
  for (let days = 0; days <= (isCounted ? DAYS_BACK : 0); days += 1) {
    const players = await selectAlike(tx, before, after, { days, drawn_in });
    const found =
      drawn_in === null ? grownDraws(before, after, players) : heldDraws(after, players);
    draws = Math.max(draws, found);
    most = Math.max(
      most,
      players.reduce((sum, { count }) => sum + count, 0),
    );
  }
  if (most > MANY) {
    const now = performance.now();
    [...kept].filter(([, { until }]) => until <= now).forEach(([old]) => kept.delete(old));
    kept.set(key, { until: now + KEPT_MS, draws });
  }
  return draws;
}

type AheadRound = RuledRound & CountingRound;

const NOTHING_AHEAD = { peak: 0, held: 0, grown: 0, is_made: false };

/** Adds the draws ahead of each round. Does not read them again for `known` rounds. */
async function withAhead(
  tx: Tx,
  rounds: readonly RuledRound[],
  known: readonly AheadRound[],
): Promise<AheadRound[]> {
  const knownOf = new Map(known.map((round) => [round.id, round]));
  const unread = rounds.map(({ id }) => id).filter((id) => !knownOf.has(id));
  const peaks = await selectPeaks(tx, unread);
  const ahead = [];
  for (const round of rounds) {
    const was = knownOf.get(round.id);
    const held = was?.held ?? (await mostDraws(tx, null, round, round.id));
    const peak = was?.peak ?? peaks.get(round.id) ?? 0;
    ahead.push({ ...round, ...NOTHING_AHEAD, peak, held });
  }
  return ahead;
}

/** Returns the counting rounds of the pools with their draws ahead. Call this before taking any lock. */
export async function readAhead(tx: Tx, pool_ids: readonly number[]): Promise<AheadRound[]> {
  return await withAhead(tx, await selectCounting(tx, pool_ids), []);
}

async function standingOf(tx: Tx, rounds: readonly CountingRound[]): Promise<Standing> {
  const used = rounds.map(({ pool_id }) => pool_id);
  return { rounds, pools: used.length === 0 ? [] : await selectStandingPools(tx, used) };
}

/** Values locked pools before a change of their prizes. Reads again the rounds that changed since `ahead` was read. */
export async function valuePools(
  tx: Tx,
  pool_ids: readonly number[],
  ahead: readonly AheadRound[],
): Promise<Standing> {
  const rounds = await selectCounting(tx, pool_ids);
  const versions = new Map(rounds.map(({ id, version }) => [id, version]));
  const known = ahead.filter(({ id, version }) => versions.get(id) === version);
  return await standingOf(tx, await withAhead(tx, rounds, known));
}

/** The risk of the change of prizes that was made since `before`. */
export async function riskSince(tx: Tx, before: Standing): Promise<Risk> {
  return riskOfChange(before, await standingOf(tx, before.rounds), null);
}

/** The day on which the first round of each pool begins. */
function firstDays(rounds: readonly CountingRound[]): ReadonlyMap<number, string> {
  const late = rounds.toSorted((one, other) => (one.start_date < other.start_date ? 1 : -1));
  return new Map(late.map(({ pool_id, start_date }) => [pool_id, start_date]));
}

/** Whether a pool comes into use, or its first round now begins on another day. */
function enters(before: readonly CountingRound[], after: readonly CountingRound[]): boolean {
  const days = firstDays(before);
  return [...firstDays(after)].some(([pool_id, day]) => days.get(pool_id) !== day);
}

interface SavedRound extends WindowedRule {
  readonly pool_id: number;
  readonly start_time: Date;
  readonly end_time: Date;
}

interface ValuedPools {
  readonly timeZone: string;
  readonly pool_ids: readonly number[];
  /** True if a pool may come into use or the draws ahead may cost more. Then the draws ahead are read. */
  readonly mayEnter: boolean;
}

interface RoundValue extends ValuedPools {
  readonly rounds: readonly AheadRound[];
  /** Number of draws that the new rule grants in addition to the old rule. */
  readonly grown: number;
  /** True if the change counts as a new round. */
  readonly is_made: boolean;
}

/** Returns the counting rounds. `start_date` is the start day or, if later, the day of creation. */
async function countingByDay(
  tx: Tx,
  { timeZone, pool_ids, mayEnter }: ValuedPools,
  known: readonly AheadRound[],
): Promise<AheadRound[]> {
  const counting = await selectCounting(tx, pool_ids);
  const ahead = mayEnter
    ? await withAhead(tx, counting, known)
    : counting.map((round) => ({ ...round, ...NOTHING_AHEAD }));
  return ahead.map((round) => {
    const made = formatDate(round.created_at, timeZone);
    return { ...round, start_date: made > round.start_date ? made : round.start_date };
  });
}

/**
 * Values a change of a round. Call this before locking the round, because draws wait for that lock. `was` is null for a
 * new round, `will` is null for a deletion, and both are null for a copy that uses the new pools `pool_ids`. Only one
 * change that may bring a pool into use runs at a time until its commit, because these changes share a daily limit.
 */
export async function valueRound(
  tx: Tx,
  timeZone: string,
  was: (SavedRound & { readonly created_at: Date }) | null,
  will: SavedRound | null,
  pool_ids: readonly number[] = [was, will].flatMap((round) => round?.pool_id ?? []),
): Promise<RoundValue> {
  const isElsewhere = was?.pool_id !== will?.pool_id;
  // The daily limit covered the first pool of a round created in the last day. It does not cover a
  // change to a pool already in use.
  const isYoung = was !== null && Date.now() - Number(was.created_at) < DAY_MS;
  const is_made =
    was === null ||
    (will !== null &&
      isElsewhere &&
      isYoung &&
      (await selectCounting(tx, [will.pool_id])).length > 0);
  const old = is_made ? null : was;
  const isSameRule = old !== null && partOf(old) === partOf(will);
  const grown = will === null || isSameRule ? 0 : await mostDraws(tx, old, will, null);
  const mayEnter =
    was === null ||
    isElsewhere ||
    Number(was.start_time) !== Number(will?.start_time) ||
    Number(was.end_time) !== Number(will?.end_time);
  if (mayEnter) {
    await sql`select pg_advisory_xact_lock(hashtext('risk_allowance'))`.execute(tx);
  }
  const valued = { timeZone, pool_ids, mayEnter };
  return { ...valued, rounds: await countingByDay(tx, valued, []), grown, is_made };
}

/** Returns the risk of the change of round `id`, after the change is written. */
export async function riskOfRound(tx: Tx, value: RoundValue, id: number): Promise<Risk> {
  const { timeZone, pool_ids, grown, is_made } = value;
  const before = value.rounds.filter((round) => !is_made || round.id !== id);
  // Both sides use the pace before the change, even if the change stops or starts the round.
  const after = (await countingByDay(tx, value, before)).map((round) =>
    round.id === id ? { ...round, grown, is_made } : round,
  );
  // The prizes do not change, so the same stock is left on both sides.
  const pools = await selectStandingPools(tx, pool_ids);
  const sides = [
    { rounds: before, pools },
    { rounds: after, pools },
  ] as const;
  if (!enters(before, after)) {
    return riskOfChange(...sides, null);
  }
  const days = [...before, ...after].map(({ start_date }) => start_date);
  const usual = await selectUsual(tx, formatDate(new Date(), timeZone), timeZone);
  const others = await selectDays(tx, days, pool_ids, timeZone);
  return riskOfChange(...sides, { usual, others });
}
