/** Signs calls to the wallet (platform-api "Signing"). */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { signatureHeaders } from "@red/contract/signing";

export interface WalletAccess {
  /** Without a trailing slash. */
  readonly url: string;
  readonly key: string;
  readonly secret: string;
}

/** Headers of one signed call; each needs its own signature, because a nonce is valid once. */
export function signedHeaders(
  { key, secret }: WalletAccess,
  method: "GET" | "POST",
  address: URL,
  body: string,
): Record<string, string> {
  const parts = {
    timestamp: String(Math.floor(Date.now() / 1000)),
    nonce: randomBytes(16).toString("hex"),
    method,
    path: `${address.pathname}${address.search}`,
    bodyHash: createHash("sha256").update(body).digest("hex"),
  };
  return {
    ...signatureHeaders(key, parts, (text) =>
      createHmac("sha256", secret).update(text).digest("hex"),
    ),
    accept: "application/json",
  };
}
