/** Signatures of platform and wallet calls, written from platform-api alone. */
import { createHash, createHmac, randomUUID } from "node:crypto";

export interface Key {
  readonly key: string;
  readonly secret: string;
}

/** HMAC-SHA256 over timestamp.nonce.METHOD.path-with-query.hex(sha256(body)), in lower-case hex. */
export function signature(
  secret: string,
  timestamp: string,
  nonce: string,
  method: string,
  path: string,
  body: string | Buffer,
): string {
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const text = `${timestamp}.${nonce}.${method}.${path}.${bodyHash}`;
  return createHmac("sha256", secret).update(text).digest("hex");
}

export function signedHeaders(
  { key, secret }: Key,
  method: string,
  path: string,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomUUID();
  return {
    "X-Key": key,
    "X-Timestamp": timestamp,
    "X-Nonce": nonce,
    "X-Signature": signature(secret, timestamp, nonce, method, path, body),
    "Content-Type": "application/json",
  };
}
