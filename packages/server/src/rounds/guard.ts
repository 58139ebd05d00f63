/** Asks for a one-time code before a change that may cost much while rounds run (behaviour §3). */
import { AppError } from "@red/contract/errors";
import type { RiskAsked } from "@red/contract/guard";
import { formatCents, grouped, parseCents } from "@red/contract/money";
import { LOGIN_CODES } from "@red/contract/session";
import type { TextKey } from "@red/contract/texts-zh";
import { risk } from "@red/engine/risk";
import type { PoolChange, Risk } from "@red/engine/risk";
import { confirmCode } from "#identity/confirm-code";
import { addressGroup } from "#platform/address-group";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import type { Caller, Outcome, Refused, Services } from "#platform/handlers";
import { selectSetting } from "#platform/setting-sql";
import { savePoolVersion, selectPace, selectPricedPrizes } from "./pool-sql.ts";
import type { LockedPool } from "./pool-sql.ts";

interface PoolRisk extends Risk {
  readonly pool_name: string;
  readonly draws_hour: number;
}

/** Collects what an act may cost, pool by pool; null when nobody is asked. */
export type Risks = PoolRisk[] | null;

/** Ends a change of prizes: stores the new version and notes its risk. Throws weight_sum_too_large. */
export async function savePrizes(
  tx: Tx,
  actor: Actor,
  pool: LockedPool,
  risks: Risks,
): Promise<void> {
  await savePoolVersion(tx, pool, actor.name);
  if (risks === null) {
    return;
  }
  const { rounds, draws_hour } = await selectPace(tx, pool.id);
  if (rounds > 0) {
    const before = [{ rounds, prizes: await selectPricedPrizes(tx, pool.id, 1) }];
    const after = [{ rounds, prizes: await selectPricedPrizes(tx, pool.id) }];
    risks.push({ pool_name: pool.pool_name, draws_hour, ...risk({ before, after }) });
  }
}

/** Notes the risk of a running round that has just moved to another pool. */
export async function noteMove(
  tx: Tx,
  from_id: number,
  { pool_id, pool_name }: { readonly pool_id: number; readonly pool_name: string },
  risks: NonNullable<Risks>,
): Promise<void> {
  const [from, to] = [await selectPace(tx, from_id), await selectPace(tx, pool_id)];
  const [old, next] = [
    await selectPricedPrizes(tx, from_id),
    await selectPricedPrizes(tx, pool_id),
  ];
  const pools = (moved: 0 | 1): PoolChange["before"] => [
    { rounds: from.rounds + 1 - moved, prizes: old },
    { rounds: to.rounds - 1 + moved, prizes: next },
  ];
  const moved = risk({ before: pools(0), after: pools(1) });
  risks.push({ pool_name, draws_hour: to.draws_hour, ...moved });
}

function toAsked(risks: readonly PoolRisk[], guard_sum: string): RiskAsked {
  const pools = risks.map(({ pool_name, draws_hour, ...one }) => ({
    pool_name,
    risk: formatCents(one.risk_cents),
    cost_before: formatCents(one.cost_before_cents),
    cost_after: formatCents(one.cost_after_cents),
    draws_hour,
  }));
  const sum = risks.reduce((all, one) => all + BigInt(one.risk_cents), 0n);
  return { risk: formatCents(sum), guard_sum, pools };
}

interface GuardedCall extends Caller {
  readonly services: Services;
  readonly request: { readonly ip: string };
}

/**
 * Runs `change`, which notes its risks; above `guard_sum` it throws risk_confirm unless a right code came along. A wrong
 * one changes nothing but must be committed. Programs are asked only where `guard_programs` is on.
 */
export async function guarded<T>(
  tx: Tx,
  { operator, actor, services, request }: GuardedCall,
  code: string | null | undefined,
  msg: TextKey,
  change: (risks: Risks) => Promise<T>,
): Promise<Outcome<T> | Refused> {
  const isConsole = operator?.by_console === true;
  if (!operator || !(isConsole || (await selectSetting(tx, "guard_programs")) === "on")) {
    return { data: await change(null), msg };
  }
  if (code !== undefined && code !== null && code !== "") {
    // Before the change: a wrong code is counted, the change must not be.
    const proof = { name: operator.name, address: addressGroup(request.ip), code };
    const verdict = await confirmCode(tx, services.secrets, actor, proof, new Date());
    return verdict === "right"
      ? { data: await change(null), msg }
      : { data: null, msg: verdict, code: LOGIN_CODES.code_wanted };
  }
  const risks: PoolRisk[] = [];
  const data = await change(risks);
  const asked = toAsked(risks, await selectSetting(tx, "guard_sum"));
  if (risks.reduce((sum, one) => sum + one.risk_cents, 0) > (parseCents(asked.guard_sum) ?? 0)) {
    const values = { risk: grouped(asked.risk), guard_sum: grouped(asked.guard_sum) };
    throw new AppError("risk_confirm", values, { ...asked });
  }
  return { data, msg };
}
