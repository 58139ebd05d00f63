/** Callers for tests: an operator with every permission, a platform key with every scope. */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { SCOPES } from "@red/contract/platform/permissions";
import { fillPath } from "@red/contract/platform/route";
import type { Input, Route } from "@red/contract/platform/route";
import { SIGNING_HEADERS, stringToSign } from "@red/contract/identity/signing";
import type { SecretBox } from "#platform/secret-box";
import { insertApiKey } from "#identity/api-key-sql";
import { inTransaction } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import { insertSession } from "#identity/session-sql";
import { tokenHash } from "#identity/operator-auth";
import { makeOperator } from "#test/factories";

interface Parts {
  readonly params?: Record<string, string | number>;
  readonly query?: Record<string, unknown>;
  readonly body?: object;
}

export interface Callers {
  /** Access token of operator `root-op`. */
  readonly token: string;
  readonly key: string;
  readonly secret: string;
}

/** A key that is not in a database yet. */
export function newCallers(): Callers {
  return {
    token: randomBytes(32).toString("base64url"),
    key: `rk_${randomBytes(9).toString("hex")}`,
    secret: randomBytes(32).toString("hex"),
  };
}

/** Inserts the callers; `secrets` seals the key's secret. */
export async function seedCallers(db: Db, secrets: SecretBox, callers: Callers): Promise<void> {
  const operator_id = await makeOperator(db, "root-op");
  const { token, key } = callers;
  const sealed = secrets.seal(`api_key:${key}`, callers.secret);
  await inTransaction(db, async (tx) => {
    await insertSession(tx, { token_hash: tokenHash(token), operator_id });
    await insertApiKey(tx, { key, name: "test", secret: sealed, scopes: [...SCOPES] });
  });
}

/** Method, address and body of an operator's call. */
export function requestOf<R extends Route>({ method, path }: R, input: Input<R>) {
  // The caller's types fit the route; here the parts are only read.
  const { params = {}, query = {}, body } = input as Parts;
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(
    pairs.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const url = fillPath(path, params) + (search === "" ? "" : `?${search}`);
  return { method, url, payload: body === undefined ? null : JSON.stringify(body) };
}

/** Signs any call of the platform. */
export function signedHeaders(
  { key, secret }: Callers,
  method: string,
  path: string,
  payload: string | Buffer,
): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomBytes(12).toString("hex");
  const bodyHash = createHash("sha256").update(payload).digest("hex");
  const signed = stringToSign({ timestamp, nonce, method, path, bodyHash });
  return {
    "content-type": "application/json",
    [SIGNING_HEADERS.key]: key,
    [SIGNING_HEADERS.timestamp]: timestamp,
    [SIGNING_HEADERS.nonce]: nonce,
    [SIGNING_HEADERS.signature]: createHmac("sha256", secret).update(signed).digest("hex"),
  };
}
