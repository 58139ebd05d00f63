/** Creates, rotates and revokes keys of game platforms. A platform may have several keys at once. */
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
import type { AuditFields } from "@red/contract/evidence/audit-words";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import type { Costed } from "#platform/handlers";
import { chosen } from "./change-operator.ts";
import * as z from "zod/mini";

export function riskOfKey(scopes: readonly string[]): Risk {
  const isOther = scopes.every((scope) => scope !== "ingest" && scope !== "draw");
  return isOther ? noRisk("it neither ingests nor draws") : aboveAnySum("it can earn and draw");
}

const KEY_BYTES = 12;
const SECRET_BYTES = 32;

const input = z.object({ name: name("required", NAME_LENGTH_MAX) });

export interface NewKey {
  readonly key: string;
  /** Shown only once. The database stores the secret encrypted. */
  readonly secret: string;
}

function newSecret(secrets: SecretBox, key: string) {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return { secret, sealed: secrets.seal(`api_key:${key}`, secret) };
}

async function auditKey(tx: Tx, actor: Actor, key: string, action: string, after?: AuditFields) {
  const entry = { action, object_type: "api_key", object_id: key };
  await insertAudit(tx, actor, after === undefined ? entry : { ...entry, after });
}

/** Throws `bad_input` if the name or the scopes are missing, or for an unknown scope. */
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
  await auditKey(tx, actor, key, "create_key", { name: parsed.data.name, scopes });
  return { key, secret };
}

/** Throws `key_not_found` if the key does not exist or was already revoked. */
async function keyInUse(tx: Tx, key: string) {
  return found(await lockApiKey(tx, key), "key_not_found", { key });
}

/**
 * Creates a second secret. Both secrets are valid until the first is retired, so no call is rejected while
 * a platform switches over. Replaces an existing second secret, which may be lost. Throws `key_not_found`.
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
  await auditKey(tx, actor, key, "rotate_key");
  return { data: { key, secret }, risk: riskOfKey(scopes) };
}

/**
 * Makes the first secret invalid within five seconds. Throws `key_not_found`, or `key_not_rotating` if
 * there is no second secret.
 */
export async function retireSecret(tx: Tx, actor: Actor, key: string): Promise<void> {
  const { next_secret } = await keyInUse(tx, key);
  if (next_secret === null) {
    throw new AppError("key_not_rotating");
  }
  await dropFirstSecret(tx, key);
  await auditKey(tx, actor, key, "retire_secret");
}

/** Revokes a key: every server process rejects its calls within five seconds. Throws `key_not_found`. */
export async function revokeKey(tx: Tx, actor: Actor, key: string): Promise<void> {
  await keyInUse(tx, key);
  await revokeApiKey(tx, key);
  await auditKey(tx, actor, key, "revoke_key");
}
