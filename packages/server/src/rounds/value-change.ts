/** What a change of rounds, pools or prizes may cost (behaviour §16). */
import { formatDate } from "@red/contract/datetime";
import { countedRule } from "@red/engine/chances";
import { grownDraws, heldDraws } from "@red/engine/granted";
import { riskOfChange } from "@red/engine/risk";
import type { CountingRound, Risk, Standing } from "@red/engine/risk";
import { sql } from "kysely";
import type { Tx } from "#platform/connection";
import { selectAlike } from "./granted-sql.ts";
import type { WindowedRule } from "./granted-sql.ts";
import {
  selectAllowance,
  selectCounting,
  selectPeaks,
  selectStandingPools,
} from "./standing-sql.ts";

/** No pool enters by a change of prizes. */
const NO_ALLOWANCE = { usual: 0, others: new Map<string, number>() };

/** Days whose same window shows what a rule would have granted. */
const DAYS_BACK = 7;

type Ahead = Pick<CountingRound, "peak" | "held">;

/** The rounds that count on the pools; `known` ones keep their pace. */
async function countingOn(
  tx: Tx,
  pool_ids: readonly number[],
  known: ReadonlyMap<number, Ahead> = new Map(),
) {
  const rounds = await selectCounting(tx, pool_ids);
  const others = rounds.filter(({ id }) => !known.has(id));
  const peaks = await selectPeaks(
    tx,
    others.map(({ id }) => id),
  );
  const counting = [];
  for (const { rule, ...round } of rounds) {
    const { peak, held } = known.get(round.id) ?? {
      peak: peaks.get(round.id) ?? 0,
      held: heldDraws(rule, await selectAlike(tx, null, rule, { drawn_in: round.id })),
    };
    counting.push({ ...round, peak, held, grown: 0 });
  }
  return counting;
}

/**
 * Values a change of prizes of locked pools. Begin it before their prizes are locked: draws wait for those. It answers a
 * function to call before the change, which answers one to call after it.
 */
export async function valuePrizes(tx: Tx, pool_ids: readonly number[]) {
  const rounds = await countingOn(tx, pool_ids);
  const used = rounds.map(({ pool_id }) => pool_id);
  const standing = async (): Promise<Standing> => ({
    rounds,
    pools: used.length === 0 ? [] : await selectStandingPools(tx, used),
  });
  return async () => {
    const before = await standing();
    return async (): Promise<Risk> => riskOfChange(before, await standing(), NO_ALLOWANCE);
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
  const isCounted = [before, after].some((rule) => rule !== null && countedRule(rule) !== null);
  let most = 0;
  for (let days = 0; days <= (isCounted ? DAYS_BACK : 0); days += 1) {
    const alike = await selectAlike(tx, before, after, { days });
    most = Math.max(most, grownDraws(before, after, alike));
  }
  return most;
}

/** Does a pool enter, or a round begin on another day? */
function enters(before: readonly CountingRound[], after: readonly CountingRound[]): boolean {
  return after.some(({ id, pool_id, start_date }) => {
    const was = before.find((round) => round.id === id);
    return was?.start_date !== start_date || before.every((one) => one.pool_id !== pool_id);
  });
}

/**
 * Values a change of rounds on the pools `from`. Begin it before a round is locked: draws wait for that. Call the answer when
 * all is written, with the pools of after; `grown` is of the round that is changed.
 */
export async function valueRounds(tx: Tx, timeZone: string, from: readonly number[]) {
  const before = await countingOn(tx, from);
  const known = new Map(before.map((round) => [round.id, round]));
  return async (id: number, grown: number, to: readonly number[] = from): Promise<Risk> => {
    const rounds = (await countingOn(tx, to, known)).map((round) =>
      round.id === id ? { ...round, grown } : round,
    );
    // No prize is changed: what is left is the same on both sides.
    const pools = await selectStandingPools(tx, [...new Set([...from, ...to])]);
    const sides = [
      { rounds: before, pools },
      { rounds, pools },
    ] as const;
    if (!enters(before, rounds)) {
      return riskOfChange(...sides, NO_ALLOWANCE);
    }
    // Rounds made at once share the allowance.
    await sql`select pg_advisory_xact_lock(hashtext('risk_allowance'))`.execute(tx);
    const days = [...before, ...rounds].map(({ start_date }) => start_date);
    const today = formatDate(new Date(), timeZone);
    return riskOfChange(...sides, await selectAllowance(tx, days, to, today));
  };
}
