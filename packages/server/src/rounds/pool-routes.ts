import { AppError } from "@red/contract/errors";
import type { poolRoutes } from "@red/contract/pool";
import { copyPool, createPool, deletePool, renamePool } from "./change-pool.ts";
import { guarded } from "./guard.ts";
import { selectPace, selectPool, selectPools } from "./pool-sql.ts";
import { savePool } from "./save-pool.ts";
import type { Handlers } from "#platform/handlers";

export const poolHandlers: Handlers<typeof poolRoutes> = {
  async list({ db }) {
    const content = await selectPools(db);
    return { data: { content, total: content.length } };
  },

  async save(call) {
    const { tx, actor, body, language } = call;
    return await guarded(tx, call, body.code, "saved", (risks) =>
      savePool(tx, actor, body, language, risks),
    );
  },

  async pace({ db, params }) {
    if ((await selectPool(db, params.id)) === null) {
      throw new AppError("pool_not_found");
    }
    return { data: await selectPace(db, params.id) };
  },

  async create({ tx, actor, body }) {
    return { data: { id: await createPool(tx, actor, body.pool_name) }, msg: "added" };
  },

  async rename({ tx, actor, params, body }) {
    await renamePool(tx, actor, params.id, body.pool_name);
    return { data: null, msg: "saved" };
  },

  async remove({ tx, actor, params }) {
    await deletePool(tx, actor, params.id);
    return { data: null, msg: "deleted" };
  },

  async copy({ tx, actor, params, body }) {
    return { data: { id: await copyPool(tx, actor, params.id, body.pool_name) }, msg: "added" };
  },
};
