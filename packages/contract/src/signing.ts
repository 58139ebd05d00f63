/**
 * How calls between the game platform, this system and the wallet are signed (platform-api). Pure:
 * the HMAC itself is computed by whoever holds the secret.
 */

export const SIGNING_HEADERS = {
  key: "x-key",
  timestamp: "x-timestamp",
  nonce: "x-nonce",
  signature: "x-signature",
} as const;

/** How far a caller's clock may differ, in seconds. */
export const TIMESTAMP_TOLERANCE_SECONDS = 300;
export const NONCE = /^[\x21-\x7e]{16,64}$/;

export interface SigningParts {
  /** Unix seconds, as sent. */
  readonly timestamp: string;
  readonly nonce: string;
  readonly method: string;
  /** Path with query, exactly as on the request line. */
  readonly path: string;
  /** Lower-case hex SHA-256 of the raw body; of the empty string when there is none. */
  readonly bodyHash: string;
}

/** The text under the HMAC-SHA256. */
export function stringToSign(parts: SigningParts): string {
  return [parts.timestamp, parts.nonce, parts.method, parts.path, parts.bodyHash].join(".");
}

/** The headers of a signed call; `hmac` is the hex HMAC-SHA256 of a text under the caller's secret. */
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
