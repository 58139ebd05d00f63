/** Calls about activity groups and preset in-site message codes (behaviour §3). */
import type { redCodeRoutes, tagRoutes } from "@red/contract/tag";
import { createMessageCode } from "./create-message-code.ts";
import { createTag } from "./create-tag.ts";
import { renameMessageCode } from "./rename-message-code.ts";
import { renameTag } from "./rename-tag.ts";
import { selectTags } from "./activity-tag-sql.ts";
import { selectMessageCodes } from "./message-code-sql.ts";
import type { Handlers } from "#platform/handlers";

export const tagHandlers: Handlers<typeof tagRoutes> = {
  async list({ db }) {
    const content = await selectTags(db);
    return { data: { content, total: content.length } };
  },

  async create({ tx, actor, body }) {
    await createTag(tx, actor, body);
    return { data: null, msg: "added" };
  },

  async rename({ tx, actor, params, body }) {
    await renameTag(tx, actor, { tag: params.tag, label: body.label });
    return { data: null, msg: "saved" };
  },
};

export const redCodeHandlers: Handlers<typeof redCodeRoutes> = {
  async list({ db }) {
    const content = await selectMessageCodes(db);
    return { data: { content, total: content.length } };
  },

  async create({ tx, actor, body }) {
    await createMessageCode(tx, actor, body);
    return { data: null, msg: "added" };
  },

  async rename({ tx, actor, params, body }) {
    await renameMessageCode(tx, actor, { red_code: params.red_code, label: body.label });
    return { data: null, msg: "saved" };
  },
};
