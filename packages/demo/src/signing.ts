/** Signs calls and checks signed calls (platform-api "Signing"); both directions use the same form. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import {
  NONCE,
  SIGNING_HEADERS,
  TIMESTAMP_TOLERANCE_SECONDS,
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

function signatureOf(
  request: SignedRequest,
  timestamp: string,
  nonce: string,
  secret: string,
): string {
  const bodyHash = createHash("sha256").update(request.body).digest("hex");
  const text = stringToSign({
    timestamp,
    nonce,
    method: request.method,
    path: request.path,
    bodyHash,
  });
  return createHmac("sha256", secret).update(text).digest("hex");
}

/** The signing headers of one attempt; every attempt needs its own. */
export function sign(
  request: SignedRequest,
  credentials: Credentials,
  now: number = Date.now(),
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const nonce = randomBytes(16).toString("hex");
  return {
    [SIGNING_HEADERS.key]: credentials.key,
    [SIGNING_HEADERS.timestamp]: timestamp,
    [SIGNING_HEADERS.nonce]: nonce,
    [SIGNING_HEADERS.signature]: signatureOf(request, timestamp, nonce, credentials.secret),
  };
}

function header(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : null;
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
    const key = header(headers, SIGNING_HEADERS.key);
    const timestamp = header(headers, SIGNING_HEADERS.timestamp);
    const nonce = header(headers, SIGNING_HEADERS.nonce);
    const signature = header(headers, SIGNING_HEADERS.signature);
    if (key === null || timestamp === null || nonce === null || signature === null) {
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
    const expected = Buffer.from(signatureOf(request, timestamp, nonce, credentials.secret));
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
