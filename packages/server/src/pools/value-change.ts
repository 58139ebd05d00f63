/** What a change of rounds, pools or prizes may cost (behaviour §16). */
import { formatDate } from "@red/contract/platform/datetime";
import { countedRule } from "@red/engine/chances";
import { grownDraws, heldDraws } from "@red/engine/granted";
import type { AlikePlayers } from "@red/engine/granted";
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

/** Days whose same window shows what a rule may grant. */
const DAYS_BACK = 7;

/** Today, and the days back if rows of a window count. */
function daysOf(...rules: readonly (WindowedRule | null)[]): number[] {
  const isCounted = rules.some((rule) => rule !== null && countedRule(rule) !== null);
  return Array.from({ length: isCounted ? DAYS_BACK + 1 : 1 }, (_, days) => days);
}

/** What was read of many players is kept so long, by round and rule. */
const KEPT_MS = 30_000;
const MANY = 10_000;
const kept = new Map<string, { readonly until: number; readonly draws: number }>();

/** The draws of the key if they are kept, else new ones by these players; of several lists the most. */
async function mostDraws(
  key: string,
  lists: readonly (() => Promise<readonly AlikePlayers[]>)[],
  drawsOf: (players: readonly AlikePlayers[]) => number,
): Promise<number> {
  const known = kept.get(key);
  if (known !== undefined && known.until > performance.now()) {
    return known.draws;
  }
  let [draws, most] = [0, 0];
  for (const read of lists) {
    const players = await read();
    draws = Math.max(draws, drawsOf(players));
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

type Ahead = Pick<CountingRound, "peak" | "held"> & { readonly version: number };
type Known = ReadonlyMap<number, Ahead>;

/** The rounds that count on the pools; `known` ones of the same version keep their pace. Without `isPaced` none has one. */
async function countingOn(tx: Tx, pool_ids: readonly number[], known: Known, isPaced = true) {
  const rounds = await selectCounting(tx, pool_ids);
  if (!isPaced) {
    return rounds.map((round) => ({ ...round, peak: 0, held: 0, grown: 0, is_made: false }));
  }
  const others = rounds.filter(({ id, version }) => known.get(id)?.version !== version);
  const peaks = await selectPeaks(
    tx,
    others.map(({ id }) => id),
  );
  const counting = [];
  for (const { rule, ...round } of rounds) {
    const { id, version } = round;
    const was = known.get(id);
    const isKnown = was?.version === version;
    const held = isKnown
      ? was.held
      : await mostDraws(
          `held ${id} ${partOf(rule)}`,
          daysOf(rule).map((days) => () => selectAlike(tx, null, rule, { days, drawn_in: id })),
          (players) => heldDraws(rule, players),
        );
    const peak = isKnown ? was.peak : (peaks.get(id) ?? 0);
    counting.push({ ...round, peak, held, grown: 0, is_made: false });
  }
  return counting;
}

const NONE: Known = new Map();

/**
 * Values a change of prizes. Begin it before anything is locked: to read what is ahead may take a second. It answers a function to call
 * once the pools and their prizes are locked, which answers one to call after the change.
 */
export async function valuePrizes(tx: Tx, pool_ids: readonly number[]) {
  const early = await countingOn(tx, pool_ids, NONE);
  const known: Known = new Map(early.map((round) => [round.id, round]));
  return async (locked: readonly number[] = pool_ids) => {
    const rounds = await countingOn(tx, locked, known);
    const used = rounds.map(({ pool_id }) => pool_id);
    const standing = async (): Promise<Standing> => ({
      rounds,
      pools: used.length === 0 ? [] : await selectStandingPools(tx, used),
    });
    const before = await standing();
    return async (): Promise<Risk> => riskOfChange(before, await standing(), null);
  };
}

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

const partOf = (rule: WindowedRule) => JSON.stringify(GRANTING.map((key) => rule[key]));

/** Draws that a rule grants beyond the one before, or beyond none, on the rows of now or of one of seven days before. */
export async function selectGrown(
  tx: Tx,
  before: WindowedRule | null,
  after: WindowedRule,
): Promise<number> {
  if (before !== null && partOf(before) === partOf(after)) {
    return 0;
  }
  const windows = daysOf(before, after).map(
    (days) => () => selectAlike(tx, before, after, { days }),
  );
  const key = `grown ${before && partOf(before)} ${partOf(after)}`;
  return await mostDraws(key, windows, (players) => grownDraws(before, after, players));
}

/** The day on which the first round of each pool begins. */
function firstDays(rounds: readonly CountingRound[]): ReadonlyMap<number, string> {
  const late = rounds.toSorted((one, other) => (one.start_date < other.start_date ? 1 : -1));
  return new Map(late.map(({ pool_id, start_date }) => [pool_id, start_date]));
}

/** Does a pool enter, or its first round begin on another day? */
function enters(before: readonly CountingRound[], after: readonly CountingRound[]): boolean {
  const days = firstDays(before);
  return [...firstDays(after)].some(([pool_id, day]) => days.get(pool_id) !== day);
}

/** A round belongs to the day on which it begins, or on which it was made if that is later. */
const dayOf = (round: Pick<RuledRound, "start_date" | "created_at">, timeZone: string) =>
  [round.start_date, formatDate(round.created_at, timeZone)].toSorted()[1] ?? round.start_date;

interface ChangedRound {
  readonly id: number;
  /** Draws that its rule grants more. */
  readonly grown: number;
  /** It is new, or goes to a pool in use within a day after it was made, and is valued as if it were new. */
  readonly is_made?: boolean;
}

/**
 * Values a change of rounds on the pools `from`. Begin it before a round is locked: draws wait for that. Call the answer when
 * all is written, with the pools of after. Rounds that may enter at once share the allowance of a day; where none may, in the same
 * pools and times, the draws ahead cost what they did.
 */
export async function valueRounds(
  tx: Tx,
  timeZone: string,
  from: readonly number[],
  mayEnter: boolean,
) {
  if (mayEnter) {
    await sql`select pg_advisory_xact_lock(hashtext('risk_allowance'))`.execute(tx);
  }
  const onDays = async (pool_ids: readonly number[], known: Known) =>
    (await countingOn(tx, pool_ids, known, mayEnter)).map((round) => ({
      ...round,
      start_date: dayOf(round, timeZone),
    }));
  const stood = await onDays(from, NONE);
  return async (changed: ChangedRound, to: readonly number[] = from): Promise<Risk> => {
    const before = stood.filter(({ id }) => changed.is_made !== true || id !== changed.id);
    const counting = await selectCounting(tx, to);
    // The pace of before holds on both sides, whatever the change made of the round.
    const known = new Map(
      counting.flatMap(({ id: one, version }) => {
        const was = before.find((round) => round.id === one);
        return was === undefined ? [] : [[one, { ...was, version }]];
      }),
    );
    const rounds = (await onDays(to, known)).map((round) =>
      round.id === changed.id ? { ...round, ...changed } : round,
    );
    // No prize is changed: what is left is the same on both sides.
    const pools = await selectStandingPools(tx, [...new Set([...from, ...to])]);
    const sides = [
      { rounds: before, pools },
      { rounds, pools },
    ] as const;
    if (!enters(before, rounds)) {
      return riskOfChange(...sides, null);
    }
    const days = [...before, ...rounds].map(({ start_date }) => start_date);
    const usual = await selectUsual(tx, formatDate(new Date(), timeZone), timeZone);
    return riskOfChange(...sides, { usual, others: await selectDays(tx, days, to, timeZone) });
  };
}
