/** How calls to the wallet are signed (platform-api "Signing"). */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { signatureHeaders } from "@red/contract/signing";

/** Where the wallet is, and as whom it is called. */
export interface WalletAccess {
  /** Without a slash at its end. */
  readonly url: string;
  readonly key: string;
  readonly secret: string;
}

/** Signs one attempt at a call; every attempt is signed anew, because a nonce is good for once. */
export function signed(
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
