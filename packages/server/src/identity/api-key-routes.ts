import type { apiKeyRoutes } from "@red/contract/identity/api-key";
import { formatDateTime } from "@red/contract/platform/datetime";
import { neverHeld } from "@red/engine/risk";
import type { Handlers } from "#platform/handlers";
import { selectApiKeys } from "./api-key-sql.ts";
import { createKey, retireSecret, revokeKey, riskOfKey, rotateKey } from "./change-key.ts";

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

  async create({ tx, actor, services, body }) {
    const data = await createKey(tx, actor, services.secrets, body);
    return { data, msg: "key_made", risk: riskOfKey(body.scopes) };
  },

  async rotate({ tx, actor, services, params }) {
    return { ...(await rotateKey(tx, actor, services.secrets, params.key)), msg: "key_made" };
  },

  async retire({ tx, actor, params }) {
    await retireSecret(tx, actor, params.key);
    return { data: null, msg: "secret_retired", risk: neverHeld("takes access away") };
  },

  async revoke({ tx, actor, params }) {
    await revokeKey(tx, actor, params.key);
    return { data: null, msg: "key_revoked" };
  },
};
