/** Calls about the prizes of a pool. A pool that does not exist is an error, an empty one is not. */
import { AppError } from "@red/contract/errors";
import type { prizeRoutes } from "@red/contract/prize";
import { addStock } from "#actions/add-stock";
import { createPrize } from "#actions/create-prize";
import { deletePrize } from "#actions/delete-prize";
import { updatePrize } from "#actions/update-prize";
import type { Db } from "#db/connection";
import { selectPoolId } from "#db/pool";
import { selectPrize, selectPrizes, selectPrizeTotals, toPrize } from "#db/prize";
import type { Handlers } from "#http/handlers";
import { requireSameId } from "#http/path-id";

async function poolIdOf(db: Db, pool_name: string): Promise<number> {
  const id = await selectPoolId(db, pool_name);
  if (id === null) {
    throw new AppError("pool_not_found");
  }
  return id;
}

export const prizeHandlers: Handlers<typeof prizeRoutes> = {
  async list({ db, query }) {
    const pool_id = await poolIdOf(db, query.pool_name);
    const { rows, total } = await selectPrizes(db, pool_id, query);
    return { data: { content: rows.map((row) => toPrize(row, query.pool_name)), total } };
  },

  async totals({ db, query }) {
    return { data: [await selectPrizeTotals(db, await poolIdOf(db, query.pool_name))] };
  },

  async detail({ db, params }) {
    const row = await selectPrize(db, params.id);
    if (row === null) {
      throw new AppError("prize_not_found");
    }
    return { data: toPrize(row, row.pool_name) };
  },

  async create({ tx, actor, body }) {
    return { data: { id: await createPrize(tx, actor, body) }, msg: "added" };
  },

  async update({ tx, actor, params, body, language }) {
    requireSameId(params.id, { id: body.id }, language);
    await updatePrize(tx, actor, params.id, body);
    return { data: null, msg: "saved" };
  },

  async addStock({ tx, actor, params, body }) {
    return { data: { award_total: await addStock(tx, actor, params.id, body.add) }, msg: "saved" };
  },

  async remove({ tx, actor, params }) {
    await deletePrize(tx, actor, params.id);
    return { data: null, msg: "deleted" };
  },
};
