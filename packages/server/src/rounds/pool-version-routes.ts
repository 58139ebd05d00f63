/** Routes of a pool's versions. */
import { formatDateTime } from "@red/contract/datetime";
import { AppError } from "@red/contract/errors";
import type { PoolVersion, poolVersionRoutes } from "@red/contract/pool-version";
import { PRIZE_VALUES } from "@red/contract/prize";
import type { Handlers } from "#platform/handlers";
import { guarded } from "./guard.ts";
import { selectPool } from "./pool-sql.ts";
import { selectPoolVersions } from "./pool-version-sql.ts";
import type { PoolVersionRow } from "./pool-version-sql.ts";
import { toPrizeValues } from "./prize-sql.ts";
import { restorePool } from "./save-pool.ts";

// Object.keys widens the keys to string.
const FIELDS = Object.keys(PRIZE_VALUES) as (keyof typeof PRIZE_VALUES)[];

const onWire = ({ prizes }: PoolVersionRow): PoolVersion["prizes"] =>
  prizes.map((prize) => ({ id: prize.id, ...toPrizeValues(prize) }));

/** What a version changed against the one before; all of the first one is new. */
function changesOf(row: PoolVersionRow, former: PoolVersionRow | undefined) {
  const before = new Map(former && onWire(former).map((prize) => [prize.id, prize]));
  const changes: PoolVersion["changes"] = [];
  for (const prize of onWire(row)) {
    const { award_name } = prize;
    const old = before.get(prize.id);
    before.delete(prize.id);
    const fields = old === undefined ? [] : FIELDS.filter((field) => old[field] !== prize[field]);
    if (old === undefined) {
      changes.push({ change: "added", award_name, fields });
    } else if (fields.length > 0) {
      changes.push({ change: "changed", award_name, fields });
    }
  }
  for (const { award_name } of before.values()) {
    changes.push({ change: "removed", award_name, fields: [] });
  }
  return changes;
}

export const poolVersionHandlers: Handlers<typeof poolVersionRoutes> = {
  async list({ db, params, query, services }) {
    if ((await selectPool(db, params.id)) === null) {
      throw new AppError("pool_not_found");
    }
    const { rows, total } = await selectPoolVersions(db, params.id, query);
    const content = rows.slice(0, query.size).map((row, at) => ({
      version: row.version,
      saved_by: row.saved_by,
      saved_at: formatDateTime(row.created_at, services.settings.timeZone),
      changes: changesOf(row, rows[at + 1]),
      prizes: onWire(row),
    }));
    return { data: { content, total } };
  },

  async restore(call) {
    const { tx, actor, params, body } = call;
    const restored = await guarded(tx, call, body.code, async (risks) => ({
      version: await restorePool(tx, actor, params.id, body, risks),
    }));
    return { msg: "saved", ...restored };
  },
};
