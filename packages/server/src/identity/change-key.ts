/** Makes and revokes keys of game platforms. Several may be valid at once, so that they can be rotated. */
import { randomBytes } from "node:crypto";
import { badInput } from "@red/contract/errors";
import { faultsOf } from "@red/contract/faults";
import { name } from "@red/contract/fields";
import { NAME_LENGTH_MAX } from "@red/contract/limits";
import { SCOPES } from "@red/contract/permissions";
import type { Scope } from "@red/contract/permissions";
import type { SecretBox } from "#platform/secret-box";
import { insertApiKey, revokeApiKey } from "./api-key-sql.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import * as z from "zod/mini";

const KEY_BYTES = 12;
const SECRET_BYTES = 32;

const input = z.object({ name: name("required", NAME_LENGTH_MAX) });

function checkScopes(given: readonly string[]): Scope[] {
  const unknown = given.find((scope) => !SCOPES.some((known) => known === scope));
  if (unknown !== undefined || given.length === 0) {
    const msg = `there is no scope "${unknown ?? ""}": give some of ${SCOPES.join(", ")}`;
    throw badInput([{ field: "scopes", msg }]);
  }
  return SCOPES.filter((scope) => given.includes(scope));
}

export interface NewKey {
  readonly key: string;
  /** Shown only once: the database keeps it encrypted. */
  readonly secret: string;
}

/** Throws `bad_input` without a name, without a scope, or with an unknown scope. */
export async function createKey(
  tx: Tx,
  actor: Actor,
  secrets: SecretBox,
  given: { readonly name: string; readonly scopes: readonly string[] },
): Promise<NewKey> {
  const parsed = z.safeParse(input, given);
  if (!parsed.success) {
    throw badInput(faultsOf(parsed.error.issues, "en"));
  }
  const scopes = checkScopes(given.scopes);
  const key = `rk_${randomBytes(KEY_BYTES).toString("base64url")}`;
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  const sealed = secrets.seal(`api_key:${key}`, secret);
  await insertApiKey(tx, { key, name: parsed.data.name, scopes, secret: sealed });
  await insertAudit(tx, actor, {
    action: "create_key",
    object_type: "api_key",
    object_id: key,
    after: { name: parsed.data.name, scopes },
  });
  return { key, secret };
}

/**
 * Revokes a key: every server process refuses its calls within five seconds. Throws `bad_input` when there is
 * no such key, or when it was revoked before.
 */
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
