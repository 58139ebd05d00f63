/** What a change of rounds, pools or prizes may cost (behaviour §16). */
import { riskOfChange } from "@red/engine/risk";
import type { Risk, Standing } from "@red/engine/risk";
import { formatDate } from "@red/contract/datetime";
import type { Tx } from "#platform/connection";
import { sql } from "kysely";
import { selectAllowance, selectCountingRounds, selectStandingPools } from "./standing-sql.ts";

/** No pool enters by a change of prizes. */
const NO_ALLOWANCE = { usual: 0, others: new Map<string, number>() };

/**
 * Values a change of prizes of locked pools. Begin it before their prizes are locked: draws wait for those. It answers a
 * function to call before the change, which answers one to call after it.
 */
export async function valuePrizes(tx: Tx, pool_ids: readonly number[]) {
  const rounds = await selectCountingRounds(tx, pool_ids);
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

/** Does a pool enter, or a round begin on another day? */
function enters(before: Standing, after: Standing): boolean {
  return after.rounds.some(({ id, pool_id, start_date }) => {
    const was = before.rounds.find((round) => round.id === id);
    return was?.start_date !== start_date || before.rounds.every((one) => one.pool_id !== pool_id);
  });
}

/** Values a change of rounds on the pools `from`, which are on the pools `to` after it. Call the answer when all is written. */
export async function valueRounds(tx: Tx, timeZone: string, from: readonly number[]) {
  const standing = async (pool_ids: readonly number[]): Promise<Standing> => ({
    rounds: await selectCountingRounds(tx, pool_ids),
    pools: await selectStandingPools(tx, pool_ids),
  });
  const before = await standing(from);
  return async (to: readonly number[] = from): Promise<Risk> => {
    const after = await standing(to);
    if (!enters(before, after)) {
      return riskOfChange(before, after, NO_ALLOWANCE);
    }
    // Rounds made at once share the allowance.
    await sql`select pg_advisory_xact_lock(hashtext('risk_allowance'))`.execute(tx);
    const days = [...before.rounds, ...after.rounds].map(({ start_date }) => start_date);
    const today = formatDate(new Date(), timeZone);
    return riskOfChange(before, after, await selectAllowance(tx, days, to, today));
  };
}
