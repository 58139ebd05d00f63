/** Signs calls (platform-api "Signing"); both directions use the same form. */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { signatureHeaders } from "@red/contract/identity/signing";

/** A key and its secret; the bytes of the secret's text are the HMAC key. */
export interface Credentials {
  readonly key: string;
  readonly secret: string;
}

interface SignedRequest {
  readonly method: string;
  /** Path with query, exactly as on the request line. */
  readonly path: string;
  /** Raw body; empty when there is none. */
  readonly body: string | Buffer;
}

/** The signing headers of one attempt; every attempt needs its own time and nonce. */
export function sign(
  { method, path, body }: SignedRequest,
  { key, secret }: Credentials,
  timestamp = String(Math.floor(Date.now() / 1000)),
  nonce = randomBytes(16).toString("hex"),
): Record<string, string> {
  const bodyHash = createHash("sha256").update(body).digest("hex");
  return signatureHeaders(key, { timestamp, nonce, method, path, bodyHash }, (text) =>
    createHmac("sha256", secret).update(text).digest("hex"),
  );
}
