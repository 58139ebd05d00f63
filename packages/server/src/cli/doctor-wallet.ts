/** Does the wallet answer, and does it take our signature? */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { SIGNING_HEADERS, stringToSign } from "@red/contract/signing";
import type { Finding } from "#cli/doctor-checks";
import { reasonOf } from "#cli/reason";
import type { WalletConfig } from "#config";

const TIMEOUT_MS = 10_000;

async function ask(wallet: WalletConfig): Promise<number> {
  // A number that was never paid: the question changes nothing, and 404 is the right answer.
  const url = new URL(`${wallet.url}/payouts/doctor-${randomBytes(8).toString("hex")}`);
  const parts = {
    timestamp: String(Math.floor(Date.now() / 1000)),
    nonce: randomBytes(16).toString("hex"),
    method: "GET",
    path: url.pathname + url.search,
    bodyHash: createHash("sha256").digest("hex"),
  };
  const signature = createHmac("sha256", wallet.secret).update(stringToSign(parts)).digest("hex");
  const response = await fetch(url, {
    headers: {
      [SIGNING_HEADERS.key]: wallet.key,
      [SIGNING_HEADERS.timestamp]: parts.timestamp,
      [SIGNING_HEADERS.nonce]: parts.nonce,
      [SIGNING_HEADERS.signature]: signature,
    },
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  return response.status;
}

/** Asks the wallet about a payout that never was. */
export async function checkWallet(wallet: WalletConfig | null): Promise<Finding> {
  const name = "wallet";
  if (wallet === null) {
    return {
      name,
      ok: true,
      found: "none configured, payouts wait or go to the demo",
      advice: null,
    };
  }
  try {
    const status = await ask(wallet);
    if (status === 404) {
      return { name, ok: true, found: `${wallet.url} answers`, advice: null };
    }
    const advice =
      status === 401 || status === 403
        ? "check WALLET_KEY, WALLET_SECRET and the clocks of both sides"
        : "check WALLET_URL: it has to answer 404 there (redctl wallet-check tells more)";
    return { name, ok: false, found: `${wallet.url} answers HTTP ${status}`, advice };
  } catch (fault) {
    const found = `${wallet.url} cannot be reached (${reasonOf(fault)})`;
    return { name, ok: false, found, advice: "check WALLET_URL and the network between" };
  }
}
