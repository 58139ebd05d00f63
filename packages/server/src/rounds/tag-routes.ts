import { noRisk } from "@red/engine/risk";
import type { redCodeRoutes, tagRoutes } from "@red/contract/rounds/tag";
import { selectLookups } from "./lookup-sql.ts";
import { createLookup, renameLookup } from "./save-lookup.ts";
import type { Handlers } from "#platform/handlers";

const A_NAME = noRisk("a name");

export const tagHandlers: Handlers<typeof tagRoutes> = {
  async list({ db }) {
    const content = await selectLookups(db, "tag");
    return { data: { content, total: content.length } };
  },

  async create({ tx, actor, body }) {
    await createLookup(tx, actor, "tag", body);
    return { data: null, msg: "added", risk: A_NAME };
  },

  async rename({ tx, actor, params, body }) {
    await renameLookup(tx, actor, "tag", { ...params, ...body });
    return { data: null, msg: "saved", risk: A_NAME };
  },
};

export const redCodeHandlers: Handlers<typeof redCodeRoutes> = {
  async list({ db }) {
    const content = await selectLookups(db, "red_code");
    return { data: { content, total: content.length } };
  },

  async create({ tx, actor, body }) {
    await createLookup(tx, actor, "red_code", body);
    return { data: null, msg: "added", risk: A_NAME };
  },

  async rename({ tx, actor, params, body }) {
    await renameLookup(tx, actor, "red_code", { ...params, ...body });
    return { data: null, msg: "saved", risk: A_NAME };
  },
};
