/** Does the wallet answer, and does it take our signature? */
import { randomBytes } from "node:crypto";
import type { Finding } from "./doctor-checks.ts";
import type { WalletConfig } from "#platform/config";
import { walletClient } from "#payouts/wallet-client";

const TIMEOUT_MS = 10_000;

function adviceFor(status: number | null): string {
  if (status === null) {
    return "check WALLET_URL, and the network between";
  }
  return status === 401 || status === 403
    ? "check WALLET_KEY, WALLET_SECRET and the clocks of both sides"
    : "it should answer 404 there: check WALLET_URL";
}

/** Asks the wallet about a payout that never was: the question changes nothing. */
export async function checkWallet(wallet: WalletConfig | null): Promise<Finding> {
  const name = "wallet";
  if (wallet === null) {
    const found = "none configured, payouts wait or go to the demo";
    return { name, ok: true, found, advice: null };
  }
  const client = walletClient(wallet, TIMEOUT_MS);
  const neverMade = {
    trans_sn: `doctor-${randomBytes(8).toString("hex")}`,
    player_id: "doctor",
    user_name: "doctor",
    amount: "0.01",
    turnover: 1,
    red_code: "doctor",
    rounds_id: 1,
    created_at: new Date().toISOString(),
  };
  const answer = await client.ask(neverMade, AbortSignal.timeout(TIMEOUT_MS));
  client.close();
  if (answer.word.kind === "never_seen") {
    return { name, ok: true, found: `${wallet.url} answers`, advice: null };
  }
  const said = answer.word.kind === "unclear" ? answer.word.why : answer.word.kind;
  const found = `${wallet.url}: ${said}`;
  return { name, ok: false, found, advice: adviceFor(answer.http_status) };
}
