/** Routes of the keys of platforms. */
import type { apiKeyRoutes } from "@red/contract/api-key";
import { formatDateTime } from "@red/contract/datetime";
import type { Handlers } from "#platform/handlers";
import { selectApiKeys } from "./api-key-sql.ts";
import { createKey, retireSecret, revokeKey, rotateKey } from "./change-key.ts";
import { coded } from "./confirm-code.ts";

export const apiKeyHandlers: Handlers<typeof apiKeyRoutes> = {
  async list({ db, services }) {
    const { timeZone } = services.settings;
    const rows = await selectApiKeys(db);
    const content = rows.map((row) => ({
      ...row,
      created_at: formatDateTime(row.created_at, timeZone),
      revoked_at: row.revoked_at && formatDateTime(row.revoked_at, timeZone),
      used_at: row.used_at && formatDateTime(row.used_at, timeZone),
      rotated_at: row.rotated_at && formatDateTime(row.rotated_at, timeZone),
    }));
    return { data: { content, total: content.length } };
  },

  create: coded("key_made", ({ tx, actor, services, body }) =>
    createKey(tx, actor, services.secrets, body),
  ),

  rotate: coded("key_made", ({ tx, actor, services, params }) =>
    rotateKey(tx, actor, services.secrets, params.key),
  ),

  retire: coded("secret_retired", async ({ tx, actor, params }) => {
    await retireSecret(tx, actor, params.key);
    return null;
  }),

  async revoke({ tx, actor, params }) {
    await revokeKey(tx, actor, { key: params.key });
    return { data: null, msg: "key_revoked" };
  },
};
