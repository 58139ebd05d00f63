/** Asks for a one-time code before a change that may cost much while rounds run (behaviour §3). */
import { AppError } from "@red/contract/errors";
import type { RiskAsked } from "@red/contract/guard";
import { formatCents, grouped, parseCents } from "@red/contract/money";
import { LOGIN_CODES } from "@red/contract/session";
import { risk } from "@red/engine/risk";
import type { LivePool, Risk } from "@red/engine/risk";
import { confirmCode } from "#identity/confirm-code";
import { addressGroup } from "#platform/address-group";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Db, Tx } from "#platform/connection";
import type { Refused, WriteCall } from "#platform/handlers";
import { selectSetting } from "#platform/setting-sql";
import type { prizeRoutes } from "@red/contract/prize";
import { selectPace, selectPricedPrizes } from "./guard-sql.ts";
import { savePoolVersion } from "./pool-sql.ts";
import type { LockedPool } from "./pool-sql.ts";

interface PoolRisk extends Risk {
  readonly pool_id: number;
  readonly pool_name: string;
  readonly draws_hour: number;
}

/** Collects what an act may cost, pool by pool; null when nobody is asked. */
export type Risks = PoolRisk[] | null;

/**
 * Ends a change of prizes: stores the pool's new version, and notes what it may cost if rounds run on it. Throws
 * weight_sum_too_large.
 */
export async function savePrizes(
  tx: Tx,
  actor: Actor,
  pool: LockedPool,
  risks: Risks,
): Promise<void> {
  await savePoolVersion(tx, pool, actor.name);
  if (risks === null || pool.is_new) {
    return;
  }
  const { id: pool_id, pool_name } = pool;
  const { running: rounds, draws_hour } = await selectPace(tx, pool_id);
  if (rounds > 0) {
    const before = [{ rounds, prizes: await selectPricedPrizes(tx, pool_id, 1) }];
    const after = [{ rounds, prizes: await selectPricedPrizes(tx, pool_id, 0) }];
    risks.push({ pool_id, pool_name, draws_hour, ...risk({ before, after }) });
  }
}

/** Two pools with their running rounds, to compare before and after a round moves from one to the other. */
export async function selectLivePools(db: Db, ids: readonly number[]): Promise<LivePool[]> {
  const pools: LivePool[] = [];
  for (const id of ids) {
    const { running: rounds } = await selectPace(db, id);
    pools.push({ rounds, prizes: await selectPricedPrizes(db, id, 0) });
  }
  return pools;
}

function toAsked(risks: readonly PoolRisk[], guard_sum: string): RiskAsked {
  const sum = risks.reduce((all, one) => all + BigInt(one.risk_cents), 0n);
  const pools = risks.map(({ pool_name, draws_hour, ...one }) => ({
    pool_name,
    risk: formatCents(one.risk_cents),
    cost_before: formatCents(one.cost_before_cents),
    cost_after: formatCents(one.cost_after_cents),
    draws_hour,
  }));
  return { risk: formatCents(sum), guard_sum, pools };
}

type GuardedCall = Pick<
  WriteCall<typeof prizeRoutes.create>,
  "operator" | "actor" | "services" | "request"
>;

/**
 * Runs `change`, which notes what it may cost. Above `guard_sum` it throws risk_confirm, so that nothing is
 * saved, unless a right code came along. A wrong one changes nothing but must be committed. Programs are asked only
 * where `guard_programs` is on.
 */
export async function guarded<T>(
  tx: Tx,
  { operator, actor, services, request }: GuardedCall,
  code: string | null | undefined,
  change: (risks: Risks) => Promise<T>,
): Promise<{ readonly data: T } | Refused> {
  const isAsked =
    operator !== null &&
    (operator.by_console || (await selectSetting(tx, "guard_programs")) === "on");
  if (!isAsked) {
    return { data: await change(null) };
  }
  const hasCode = (code ?? "") !== "";
  if (hasCode) {
    // Before the change, since a wrong code is counted and the change must not be.
    const proof = { name: operator.name, address: addressGroup(request.ip), code };
    const verdict = await confirmCode(tx, services.secrets, actor, proof, new Date());
    if (verdict !== "right") {
      return { data: null, msg: verdict, code: LOGIN_CODES.code_wanted };
    }
  }
  const risks: PoolRisk[] = [];
  const data = await change(risks);
  const asked = toAsked(risks, await selectSetting(tx, "guard_sum"));
  const sum = risks.reduce((all, one) => all + one.risk_cents, 0);
  if (sum > (parseCents(asked.guard_sum) ?? 0)) {
    if (!hasCode) {
      const values = { risk: grouped(asked.risk), guard_sum: grouped(asked.guard_sum) };
      throw new AppError("risk_confirm", values, asked);
    }
    await insertAudit(tx, actor, {
      action: "confirm_risk",
      object_type: "pool",
      object_id: risks.map((one) => one.pool_id).join(","),
      after: asked,
    });
  }
  return { data };
}
