/** Revokes a platform's key: every server process refuses its calls within five seconds. */
import { badInput } from "@red/contract/errors";
import { revokeApiKey } from "./api-key-sql.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";

/** Throws `bad_input` when there is no such key, or when it was revoked before. */
export async function revokeKey(
  tx: Tx,
  actor: Actor,
  input: { readonly key: string },
): Promise<void> {
  if (!(await revokeApiKey(tx, input.key, new Date()))) {
    throw badInput([{ field: "key", msg: `there is no key "${input.key}" that could be revoked` }]);
  }
  await insertAudit(tx, actor, {
    action: "revoke_key",
    object_type: "api_key",
    object_id: input.key,
  });
}
