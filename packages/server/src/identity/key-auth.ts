/** Finds the platform key that signed a request, and checks the signature (platform-api "Signing"). */
import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { AppError, found } from "@red/contract/platform/errors";
import type { Scope } from "@red/contract/platform/permissions";
import {
  NONCE,
  SIGNING_HEADERS,
  stringToSign,
  TIMESTAMP_TOLERANCE_SECONDS,
} from "@red/contract/identity/signing";
import type { SecretBox } from "#platform/secret-box";
import { insertNonce, selectApiKey, touchApiKey } from "./api-key-sql.ts";
import type { Db } from "#platform/db/connection";
import type { FastifyRequest } from "fastify";

/** Remembers nonces within the time window. For idempotent writes one memory per process is enough. */
export interface Nonces {
  /** Returns false if the key has used the nonce before. */
  remember(key: string, nonce: string): boolean | Promise<boolean>;
}

/**
 * Maximum number of nonces per generation, at about 60 bytes each. Above about 800 calls a second the oldest nonces are
 * dropped early: a repeated call then runs again, which is safe for every write (platform-api).
 */
const NONCES_MAX = 500_000;

function nonceEntry(key: string, nonce: string): string {
  return hash("sha256", `${key} ${nonce}`, "binary").slice(0, 12);
}

/**
 * Keeps two generations of nonces. A generation ends when its timestamps are no longer accepted, or at `max` nonces.
 */
export function nonceMemory(now: () => number = Date.now, max: number = NONCES_MAX) {
  const span = 2 * TIMESTAMP_TOLERANCE_SECONDS * 1000;
  let current = new Set<string>();
  let previous = new Set<string>();
  let turned = now();
  return {
    remember(key: string, nonce: string): boolean {
      if (now() - turned > span || current.size >= max) {
        previous = now() - turned > 2 * span ? new Set() : current;
        current = new Set();
        turned = now();
      }
      const entry = nonceEntry(key, nonce);
      if (current.has(entry) || previous.has(entry)) {
        return false;
      }
      current.add(entry);
      return true;
    },
  };
}

/**
 * Stores nonces in the database, for calls that would restore an older state if repeated. A nonce is
 * committed before the transaction of its call, so a failed call cannot be repeated either.
 */
export function storedNonces(db: Db): Nonces {
  return {
    remember: (key, nonce) => insertNonce(db, Buffer.from(nonceEntry(key, nonce), "latin1")),
  };
}

interface KnownKey {
  readonly scopes: readonly Scope[];
  /** Decrypted secrets: two during a rotation, the older first. */
  readonly secrets: readonly string[];
}

/** Caches the keys in use, so that a draw need not read its key from the database. */
export interface KeyMemory {
  /** Returns null for a key that does not exist or was revoked. */
  find(key: string): Promise<KnownKey | null>;
  /** Reads the key again after a wrong signature, because its second secret may be new. */
  findAgain(key: string): Promise<KnownKey | null>;
  /** Stores the time of a call with the first secret. */
  touch(key: string): Promise<void>;
}

/** How long a key is cached (platform-api: a revoked key is rejected within 5 seconds). */
const KEY_MS = 4_000;
/** Minimum time between two updates of the last call, per process. */
const TOUCH_MS = 60_000;

export function keyMemory(
  db: Db,
  secrets: SecretBox,
  now: () => number = () => performance.now(),
): KeyMemory {
  const memory = new Map<string, { readonly since: number; readonly known: KnownKey }>();
  const touched = new Map<string, number>();
  async function lookUp(key: string): Promise<KnownKey | null> {
    const since = now();
    const row = await selectApiKey(db, key);
    memory.delete(key);
    if (row === null) {
      return null;
    }
    const sealed = [row.secret, ...(row.next_secret === null ? [] : [row.next_secret])];
    const known = {
      scopes: row.scopes,
      secrets: sealed.map((one) => secrets.open(`api_key:${key}`, one)),
    };
    memory.set(key, { since, known });
    return known;
  }
  return {
    async touch(key) {
      if (now() >= (touched.get(key) ?? Number.NEGATIVE_INFINITY) + TOUCH_MS) {
        touched.set(key, now());
        await touchApiKey(db, key);
      }
    },
    async find(key) {
      const kept = memory.get(key);
      return kept !== undefined && now() < kept.since + KEY_MS ? kept.known : await lookUp(key);
    },
    findAgain: lookUp,
  };
}

function header(request: FastifyRequest, name: string): string {
  const value = request.headers[name];
  if (typeof value !== "string" || value === "") {
    throw new AppError("signature_missing");
  }
  return value;
}

function sameSignature(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Returns the key named in the request headers, and the signing headers. The signature is checked later,
 * because it needs the body. Throws `signature_missing`, `timestamp_out_of_range` or `key_unknown`.
 */
export async function existingKey(request: FastifyRequest, keys: KeyMemory) {
  const key = header(request, SIGNING_HEADERS.key);
  const timestamp = header(request, SIGNING_HEADERS.timestamp);
  const nonce = header(request, SIGNING_HEADERS.nonce);
  const signature = header(request, SIGNING_HEADERS.signature);
  const skew = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || !(skew <= TIMESTAMP_TOLERANCE_SECONDS)) {
    throw new AppError("timestamp_out_of_range");
  }
  if (!NONCE.test(nonce)) {
    throw new AppError("signature_missing");
  }
  const known = found(await keys.find(key), "key_unknown");
  return { key, known, timestamp, nonce, signature };
}

/**
 * Checks the signature over the raw body. Throws as `existingKey` does, or `signature_invalid`,
 * `nonce_seen`, `scope_missing`.
 */
export async function identifyKey(
  request: FastifyRequest,
  body: Buffer,
  scope: Scope,
  deps: { readonly keys: KeyMemory; readonly nonces: Nonces },
): Promise<string> {
  const { key, known, timestamp, nonce, signature } = await existingKey(request, deps.keys);
  const bodyHash = hash("sha256", body, "hex");
  const signed = stringToSign({
    timestamp,
    nonce,
    method: request.method,
    path: request.url,
    bodyHash,
  });
  const signer = (one: KnownKey | null) =>
    one?.secrets.findIndex((secret) =>
      sameSignature(signature, createHmac("sha256", secret).update(signed).digest("hex")),
    ) ?? -1;
  const kept = signer(known);
  const at = kept === -1 ? signer(await deps.keys.findAgain(key)) : kept;
  if (at === -1) {
    throw new AppError("signature_invalid");
  }
  if (!(await deps.nonces.remember(key, nonce))) {
    throw new AppError("nonce_seen");
  }
  if (!known.scopes.includes(scope)) {
    throw new AppError("scope_missing", { scope });
  }
  // While a key has two secrets, the last call with the old secret shows when it can be retired.
  if (at === 0) {
    await deps.keys.touch(key);
  }
  return key;
}
