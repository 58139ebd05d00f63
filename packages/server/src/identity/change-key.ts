/** Makes and revokes keys of game platforms. Several may be valid at once, so that they can be rotated. */
import { randomBytes } from "node:crypto";
import { AppError, badInput, found } from "@red/contract/platform/errors";
import { aboveAnySum, noRisk } from "@red/engine/risk";
import type { Risk } from "@red/engine/risk";
import { faultsOf } from "@red/contract/platform/faults";
import { name } from "@red/contract/platform/fields";
import { NAME_LENGTH_MAX } from "@red/contract/platform/limits";
import { SCOPES } from "@red/contract/platform/permissions";
import type { SecretBox } from "#platform/secret-box";
import {
  addSecret,
  dropFirstSecret,
  insertApiKey,
  lockApiKey,
  revokeApiKey,
} from "./api-key-sql.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import type { Costed } from "#platform/handlers";
import { chosen } from "./change-operator.ts";
import * as z from "zod/mini";

/** Of a key with the scopes that is made or rotated. */
export function riskOfKey(scopes: readonly string[]): Risk {
  const isOther = scopes.every((scope) => scope !== "ingest" && scope !== "draw");
  return isOther ? noRisk("it neither ingests nor draws") : aboveAnySum("it can earn and draw");
}

const KEY_BYTES = 12;
const SECRET_BYTES = 32;

const input = z.object({ name: name("required", NAME_LENGTH_MAX) });

export interface NewKey {
  readonly key: string;
  /** Shown only once: the database keeps it encrypted. */
  readonly secret: string;
}

function newSecret(secrets: SecretBox, key: string) {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return { secret, sealed: secrets.seal(`api_key:${key}`, secret) };
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
  const scopes = chosen("scope", SCOPES, given.scopes);
  const key = `rk_${randomBytes(KEY_BYTES).toString("base64url")}`;
  const { secret, sealed } = newSecret(secrets, key);
  await insertApiKey(tx, { key, name: parsed.data.name, scopes, secret: sealed });
  await insertAudit(tx, actor, {
    action: "create_key",
    object_type: "api_key",
    object_id: key,
    after: { name: parsed.data.name, scopes },
  });
  return { key, secret };
}

/** Throws `key_not_found` when there is no such key, or when it was revoked before. */
async function keyInUse(tx: Tx, key: string) {
  return found(await lockApiKey(tx, key), "key_not_found", { key });
}

/**
 * Makes a second secret, valid beside the first until that is retired, so that a platform changes over without a
 * refused call. It takes the place of an earlier second one, which may be lost. Throws `key_not_found`.
 */
export async function rotateKey(
  tx: Tx,
  actor: Actor,
  secrets: SecretBox,
  key: string,
): Promise<Costed<NewKey>> {
  const { scopes } = await keyInUse(tx, key);
  const { secret, sealed } = newSecret(secrets, key);
  await addSecret(tx, key, sealed);
  await insertAudit(tx, actor, { action: "rotate_key", object_type: "api_key", object_id: key });
  return { data: { key, secret }, risk: riskOfKey(scopes) };
}

/** Ends the first secret within five seconds. Throws `key_not_found`, and `key_not_rotating` when there is no second. */
export async function retireSecret(tx: Tx, actor: Actor, key: string): Promise<void> {
  const { next_secret } = await keyInUse(tx, key);
  if (next_secret === null) {
    throw new AppError("key_not_rotating");
  }
  await dropFirstSecret(tx, key);
  await insertAudit(tx, actor, { action: "retire_secret", object_type: "api_key", object_id: key });
}

/**
 * Revokes a key: every server process refuses its calls within five seconds. Throws `key_not_found` when there is
 * no such key, or when it was revoked before.
 */
export async function revokeKey(
  tx: Tx,
  actor: Actor,
  input: { readonly key: string },
): Promise<void> {
  if (!(await revokeApiKey(tx, input.key, new Date()))) {
    throw new AppError("key_not_found", { key: input.key });
  }
  await insertAudit(tx, actor, {
    action: "revoke_key",
    object_type: "api_key",
    object_id: input.key,
  });
}
