/** Asks for a one-time code before a change that may cost much while rounds run (behaviour §3). */
import { AppError } from "@red/contract/errors";
import type { RiskAsked } from "@red/contract/guard";
import { formatCents, grouped, parseCents } from "@red/contract/money";
import type { TextKey } from "@red/contract/texts-zh";
import { expectedCostCents } from "@red/engine/odds";
import { risk } from "@red/engine/risk";
import type { Risk } from "#approvals/risks";
import { notedRisks, noteRisks, sumOfRisks } from "#approvals/risks";
import { withCode } from "#identity/confirm-code";
import type { CodedCall, CodeProof } from "#identity/confirm-code";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import type { Caller, Outcome, Refused } from "#platform/handlers";
import { selectSetting } from "#platform/setting-sql";
import { savePoolVersion, selectPace, selectPricedPrizes } from "./pool-sql.ts";
import type { ActivityRow } from "./activity-sql.ts";
import type { LockedPool } from "./pool-sql.ts";

/** What an act may cost in one pool; money is whole cents. */
interface PoolRisk extends Risk {
  readonly pool_name: string;
  readonly cost_before: number;
  readonly cost_after: number;
  readonly draws_hour: number;
}

/** Ends a change of prizes: stores the new version and notes its risk. Throws weight_sum_too_large. */
export async function savePrizes(tx: Tx, actor: Actor, pool: LockedPool): Promise<void> {
  await savePoolVersion(tx, pool, actor.name);
  const risks = notedRisks<PoolRisk>(tx);
  if (risks === null) {
    return;
  }
  const { rounds, draws_hour } = await selectPace(tx, pool.id);
  if (rounds > 0) {
    const was = await selectPricedPrizes(tx, pool.id, 1);
    const will = await selectPricedPrizes(tx, pool.id);
    const change = { before: [{ rounds, prizes: was }], after: [{ rounds, prizes: will }] };
    const costs = { cost_before: expectedCostCents(was), cost_after: expectedCostCents(will) };
    const { pool_name } = pool;
    risks.push({ pool_name, draws_hour, risk_cents: risk(change), ...costs });
  }
}

/** Notes the risk of a running round that has just moved from another pool. */
export async function noteMove(
  tx: Tx,
  from_id: number,
  { id, pool_id, pool_name }: Pick<ActivityRow, "id" | "pool_id" | "pool_name">,
): Promise<void> {
  const risks = notedRisks<PoolRisk>(tx);
  if (risks === null) {
    return;
  }
  const was = await selectPricedPrizes(tx, from_id);
  const will = await selectPricedPrizes(tx, pool_id);
  const [left, joined] = [await selectPace(tx, from_id), await selectPace(tx, pool_id)];
  const pools = (stays: 0 | 1) => [
    { rounds: left.rounds + stays, prizes: was },
    { rounds: joined.rounds - stays, prizes: will },
  ];
  const costs = { cost_before: expectedCostCents(was), cost_after: expectedCostCents(will) };
  const { draws_hour } = await selectPace(tx, pool_id, id);
  const risk_cents = risk({ before: pools(1), after: pools(0) });
  risks.push({ pool_name, draws_hour, risk_cents, ...costs });
}

function toAsked(risks: readonly PoolRisk[], guard_sum: string): RiskAsked {
  const pools = risks.map(({ pool_name, cost_before, cost_after, draws_hour }) => ({
    pool_name,
    cost_before: formatCents(cost_before),
    cost_after: formatCents(cost_after),
    draws_hour,
  }));
  return { risk: formatCents(sumOfRisks(risks)), guard_sum, pools };
}

/** Programs are asked only where `guard_programs` is on. */
export async function isAsked(tx: Tx, { operator }: Caller): Promise<boolean> {
  return operator?.by_console === true || (await selectSetting(tx, "guard_programs")) === "on";
}

/**
 * Runs `change` and notes its risks; above `guard_sum` it throws risk_confirm unless a right code came along.
 */
export async function guarded<T>(
  tx: Tx,
  call: CodedCall,
  code: CodeProof["code"],
  msg: TextKey,
  change: () => Promise<T>,
): Promise<Outcome<T> | Refused> {
  if (call.isApproved === true || !(await isAsked(tx, call))) {
    return { data: await change(), msg };
  }
  if (code !== undefined && code !== null && code !== "") {
    return await withCode(tx, call, code, msg, change);
  }
  const risks = notedRisks<PoolRisk>(tx) ?? noteRisks<PoolRisk>(tx);
  const data = await change();
  const asked = toAsked(risks, await selectSetting(tx, "guard_sum"));
  if (sumOfRisks(risks) > (parseCents(asked.guard_sum) ?? 0)) {
    const values = { risk: grouped(asked.risk), guard_sum: grouped(asked.guard_sum) };
    throw new AppError("risk_confirm", values, { ...asked });
  }
  return { data, msg };
}
