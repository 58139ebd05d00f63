/**
 * How game platform, this system and wallet sign their calls (platform-api). These functions have no secret:
 * the caller computes the HMAC.
 */

export const SIGNING_HEADERS = {
  key: "x-key",
  timestamp: "x-timestamp",
  nonce: "x-nonce",
  signature: "x-signature",
} as const;

/** Maximum difference between the caller's clock and ours, in seconds. */
export const TIMESTAMP_TOLERANCE_SECONDS = 300;
export const NONCE = /^[\x21-\x7e]{16,64}$/;

export interface SigningParts {
  /** Unix seconds, exactly as sent. */
  readonly timestamp: string;
  readonly nonce: string;
  readonly method: string;
  /** Path with query, exactly as in the request line. */
  readonly path: string;
  /** Lower-case hex SHA-256 of the raw body; without a body, of the empty string. */
  readonly bodyHash: string;
}

export function stringToSign(parts: SigningParts): string {
  return [parts.timestamp, parts.nonce, parts.method, parts.path, parts.bodyHash].join(".");
}

/** Returns the headers of a signed call. `hmac` returns the hex HMAC-SHA256 of a text with the caller's secret. */
export function signatureHeaders(
  key: string,
  parts: SigningParts,
  hmac: (text: string) => string,
): Record<string, string> {
  return {
    [SIGNING_HEADERS.key]: key,
    [SIGNING_HEADERS.timestamp]: parts.timestamp,
    [SIGNING_HEADERS.nonce]: parts.nonce,
    [SIGNING_HEADERS.signature]: hmac(stringToSign(parts)),
  };
}
