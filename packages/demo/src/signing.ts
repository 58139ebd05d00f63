/** Signs calls and checks signed calls (platform-api "Signing"); both directions use the same form. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import {
  NONCE,
  SIGNING_HEADERS,
  TIMESTAMP_TOLERANCE_SECONDS,
  signatureHeaders,
  stringToSign,
} from "@red/contract/signing";

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

export type SignatureFault =
  | "signature_missing"
  | "signature_invalid"
  | "timestamp_out_of_range"
  | "nonce_seen"
  | "key_unknown";

function partsOf({ method, path, body }: SignedRequest, timestamp: string, nonce: string) {
  const bodyHash = createHash("sha256").update(body).digest("hex");
  return { timestamp, nonce, method, path, bodyHash };
}

function hmac(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("hex");
}

/** The signing headers of one attempt; every attempt needs its own. */
export function sign(
  request: SignedRequest,
  { key, secret }: Credentials,
  now: number = Date.now(),
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const parts = partsOf(request, timestamp, randomBytes(16).toString("hex"));
  return signatureHeaders(key, parts, (text) => hmac(secret, text));
}

/**
 * Checks signed calls and remembers their nonces while their timestamps are accepted. Returns the fault, or
 * null when the call is signed correctly.
 */
export function signatureCheck(credentials: Credentials) {
  const nonces = new Map<string, number>();

  /** Entries are in order of arrival, so cleaning up stops at the first fresh one. */
  function forget(nowSeconds: number): void {
    for (const [nonce, arrived] of nonces) {
      if (arrived + 2 * TIMESTAMP_TOLERANCE_SECONDS >= nowSeconds) {
        return;
      }
      nonces.delete(nonce);
    }
  }

  return function check(
    request: SignedRequest,
    headers: IncomingHttpHeaders,
    now: number = Date.now(),
  ): SignatureFault | null {
    const [key, timestamp, nonce, signature] = Object.values(SIGNING_HEADERS).map((name) =>
      String(headers[name] ?? ""),
    );
    if (!key || !timestamp || !nonce || !signature) {
      return "signature_missing";
    }
    if (key !== credentials.key) {
      return "key_unknown";
    }
    const nowSeconds = Math.floor(now / 1000);
    if (
      !/^\d{1,12}$/.test(timestamp) ||
      Math.abs(nowSeconds - Number(timestamp)) > TIMESTAMP_TOLERANCE_SECONDS
    ) {
      return "timestamp_out_of_range";
    }
    const text = stringToSign(partsOf(request, timestamp, nonce));
    const expected = Buffer.from(hmac(credentials.secret, text));
    const actual = Buffer.from(signature);
    if (
      !NONCE.test(nonce) ||
      actual.length !== expected.length ||
      !timingSafeEqual(actual, expected)
    ) {
      return "signature_invalid";
    }
    forget(nowSeconds);
    if (nonces.has(nonce)) {
      return "nonce_seen";
    }
    nonces.set(nonce, nowSeconds);
    return null;
  };
}
