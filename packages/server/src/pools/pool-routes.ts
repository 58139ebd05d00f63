import { formatDateTime } from "@red/contract/platform/datetime";
import { found } from "@red/contract/platform/errors";
import type { PoolVersion, poolRoutes } from "@red/contract/pools/pool";
import { PRIZE_VALUES } from "@red/contract/pools/prize";
import { noRisk } from "@red/engine/risk";
import { copyPool, createPool, deletePool, renamePool } from "./change-pool.ts";
import { selectPools, selectPoolVersions, selectVersion } from "./pool-sql.ts";
import { toPrizeValues } from "./prize-sql.ts";
import { restorePool, savePool } from "./save-pool.ts";
import type { Handlers } from "#platform/handlers";
import type { VersionPrize } from "#platform/db/schema";

// Object.keys returns string[], which loses the key type.
const FIELDS = Object.keys(PRIZE_VALUES) as (keyof typeof PRIZE_VALUES)[];

const onWire = (prizes: readonly VersionPrize[] = []) =>
  prizes.map((prize) => ({ id: prize.id, ...toPrizeValues(prize) }));

function changesOf(after: PoolVersion["prizes"], before: PoolVersion["prizes"]) {
  const old = new Map(before.map((prize) => [prize.id, prize]));
  const kept = new Set(after.map(({ id }) => id));
  const changes = after.map((prize): PoolVersion["changes"][number] => {
    const former = old.get(prize.id);
    const fields = former ? FIELDS.filter((field) => former[field] !== prize[field]) : [];
    return { change: former ? "changed" : "added", award_name: prize.award_name, fields };
  });
  return [
    ...changes.filter(({ change, fields }) => change === "added" || fields.length > 0),
    ...before
      .filter(({ id }) => !kept.has(id))
      .map(({ award_name }) => ({ change: "removed" as const, award_name, fields: [] })),
  ];
}

const UNUSED = noRisk("no round uses the pool");

export const poolHandlers: Handlers<typeof poolRoutes> = {
  async list({ db }) {
    const content = await selectPools(db);
    return { data: { content, total: content.length } };
  },

  async save({ tx, actor, body, language }) {
    return { ...(await savePool(tx, actor, body, language)), msg: "saved" };
  },

  async versions({ db, params, query: { page, size }, services }) {
    const total = found(await selectVersion(db, params.id), "pool_not_found");
    const rows = await selectPoolVersions(db, params.id, total - (page - 1) * size, size + 1);
    const content = rows.slice(0, size).map(({ created_at, prizes, ...row }, at) => ({
      ...row,
      saved_at: formatDateTime(created_at, services.settings.timeZone),
      changes: changesOf(onWire(prizes), onWire(rows[at + 1]?.prizes)),
      prizes: onWire(prizes),
    }));
    return { data: { content, total } };
  },

  async restore({ tx, actor, params, body }) {
    return { ...(await restorePool(tx, actor, params.id, body)), msg: "saved" };
  },

  async create({ tx, actor, body }) {
    const id = await createPool(tx, actor, body.pool_name);
    return { data: { id }, msg: "added", risk: UNUSED };
  },

  async rename({ tx, actor, params, body }) {
    await renamePool(tx, actor, params.id, body.pool_name);
    return { data: null, msg: "saved", risk: noRisk("a name") };
  },

  async remove({ tx, actor, params }) {
    await deletePool(tx, actor, params.id);
    return { data: null, msg: "deleted", risk: UNUSED };
  },

  async copy({ tx, actor, params, body }) {
    const id = await copyPool(tx, actor, params.id, body.pool_name);
    return { data: { id }, msg: "added", risk: UNUSED };
  },
};
