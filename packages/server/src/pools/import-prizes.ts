/** Imports all prizes of a file, or none (behaviour §12). */
import { createHash } from "node:crypto";
import { AppError } from "@red/contract/platform/errors";
import type { Language } from "@red/contract/platform/texts";
import { planImport, poolNames } from "./plan-import.ts";
import type { ImportPlan, NamedPlan, PlannedPool } from "./plan-import.ts";
import { lockOrInsertPools, selectPoolsByName } from "./pool-sql.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Db, Tx } from "#platform/db/connection";
import type { Costed } from "#platform/handlers";
import { failpoint } from "#platform/failpoint";
import { referText } from "#platform/player-names";
import { applyPrizes } from "./save-pool.ts";
import type { PrizeTrace } from "./save-pool.ts";
import type { LockedPool } from "./pool-sql.ts";
import { lockPrizes, selectPrizesOfPools } from "./prize-sql.ts";
import { readAhead, riskSince, valuePools } from "./value-change.ts";
import type { PrizeRow } from "./prize-sql.ts";
import type { PrizeFile } from "./prize-file.ts";

const FILE_NAME_LENGTH = 200;

interface Import {
  readonly file: PrizeFile;
  readonly filename: string;
  readonly language: Language;
  /** Name of the previewed plan to carry out. Clients that show no preview omit it. */
  readonly plan?: string | undefined;
}

type KnownPool = Omit<LockedPool, "is_new">;

/**
 * Returns a hash of the rows of the file and of the versions of the existing pools. A draw does not change the hash.
 */
function planName(file: PrizeFile, pools: readonly KnownPool[]): string {
  const versions = pools.map(({ id, version }) => `${id}:${version}`).toSorted();
  const basis = JSON.stringify([file.prizes, versions]);
  return createHash("sha256").update(basis).digest("base64url");
}

function byName(
  pools: readonly KnownPool[],
  prizes: readonly PrizeRow[],
): Map<string, readonly PrizeRow[]> {
  const prizesOf = (id: number) => prizes.filter((prize) => prize.pool_id === id);
  return new Map(pools.map(({ id, pool_name }) => [pool_name, prizesOf(id)]));
}

/** Returns the preview of an import. Locks and writes nothing. */
export async function previewPrizes(
  db: Db,
  file: PrizeFile,
  language: Language,
): Promise<NamedPlan> {
  // Reads the versions before the prizes: if a change comes in between, the plan is stale but never wrong.
  const pools = await selectPoolsByName(db, poolNames(file));
  const ids = pools.map((pool) => pool.id);
  const plan = planImport(file, byName(pools, await selectPrizesOfPools(db, ids)), language);
  return { ...plan, name: planName(file, pools) };
}

function refuse(plan: ImportPlan): void {
  if (plan.errors.length > 0) {
    throw new AppError("import_failed", {}, { errors: plan.errors });
  }
}

async function auditImport(
  tx: Tx,
  actor: Actor,
  { filename }: Import,
  plan: ImportPlan,
  pools: ReadonlyMap<string, LockedPool>,
  traces: readonly PrizeTrace[],
): Promise<void> {
  const ids = [...pools.values()].map((pool) => pool.id).toSorted((one, other) => one - other);
  // Two pools of one file may contain prizes with the same name, so each entry names its pool.
  const prizesOf = (side: "before" | "after") =>
    plan.pools.flatMap(({ pool_name }, at) =>
      (traces[at]?.[side] ?? []).map((prize) => ({ ...prize, pool_name })),
    );
  const idOf = ({ pool_name }: PlannedPool) => pools.get(pool_name)?.id ?? null;
  await insertAudit(tx, actor, {
    action: "import_prizes",
    object_type: "pool",
    object_id: ids.join(","),
    before: {
      pools: plan.pools
        .filter((pool) => !pool.is_new)
        .map((pool) => ({ id: idOf(pool), pool_name: pool.pool_name, ...pool.before })),
      prizes: prizesOf("before"),
    },
    after: {
      // The file name comes from the client, and jsonb cannot store these characters.
      file: await referText(
        tx,
        filename.slice(0, FILE_NAME_LENGTH).replaceAll(/[\p{Cc}\p{Cs}]/gu, ""),
      ),
      added: plan.added,
      updated: plan.updated,
      pools: plan.pools.map((pool, at) => {
        const { version = null } = traces[at] ?? {};
        return { id: idOf(pool), pool_name: pool.pool_name, version, ...pool.after };
      }),
      prizes: prizesOf("after"),
    },
    about: { pool: ids, prize: traces.flatMap((trace) => trace.ids) },
  });
}

/**
 * Adds the new prizes of the file and updates the existing prizes. Each changed pool gets one new
 * version. Throws `import_failed` with all errors by row, or `stale_plan` when the pools or the
 * file differ from the preview; both write nothing.
 */
export async function importPrizes(
  tx: Tx,
  actor: Actor,
  given: Import,
): Promise<Costed<{ added: number; updated: number }>> {
  const { file, language } = given;
  if (file.faults.length > 0) {
    // Reports all errors before it takes any lock.
    refuse(await previewPrizes(tx, file, language));
  }
  const names = poolNames(file);
  const known = (await selectPoolsByName(tx, names)).map(({ id }) => id);
  const ahead = await readAhead(tx, known);
  const locked = await lockOrInsertPools(tx, names);
  const existing = locked.filter((pool) => !pool.is_new);
  const ids = existing.map((pool) => pool.id);
  const prizes = await lockPrizes(tx, ids);
  const before = await valuePools(tx, ids, ahead);
  if (given.plan !== undefined && given.plan !== planName(file, existing)) {
    throw new AppError("stale_plan");
  }
  const plan = planImport(file, byName(existing, prizes), language);
  refuse(plan);
  const pools = new Map(locked.map((pool) => [pool.pool_name, pool]));
  const traces: PrizeTrace[] = [];
  for (const planned of plan.pools) {
    const pool = pools.get(planned.pool_name);
    if (pool === undefined) {
      throw new Error(`pool ${planned.pool_name} is not locked`);
    }
    const updates = planned.updates.filter((update) => update.isChange);
    traces.push(await applyPrizes(tx, actor, pool, { ...planned, updates, removed: [] }));
    failpoint("import_written");
  }
  await auditImport(tx, actor, given, plan, pools, traces);
  return { data: { added: plan.added, updated: plan.updated }, risk: await riskSince(tx, before) };
}
