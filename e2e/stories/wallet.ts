/** The test wallet as a separate process: the second source for what was really paid. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { dig, listAt, numberAt, parsed, textAt } from "../outside/json.ts";

export const WALLET_KEY = { key: "wk_stories", secret: "a secret of the stories' own wallet" };

interface Credit {
  readonly trans_sn: string;
  readonly amount: string;
  readonly player_id: string;
}

/** `folder` holds its ledger. */
export async function startWallet(folder: string) {
  const child = spawn(process.execPath, ["--import", "tsx", "packages/fault-wallet/src/main.ts"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      PORT: "0",
      LEDGER: path.join(folder, "wallet.ledger"),
      KEY: WALLET_KEY.key,
      SECRET: WALLET_KEY.secret,
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const url = `http://127.0.0.1:${numberAt(parsed(String(line)), "port")}`;
  const ledger = async () => parsed(await (await fetch(`${url}/ledger`)).text());
  return {
    url,
    /** Sets its behaviour; see the modes of the test wallet. */
    control: async (mode: string, more: object = {}): Promise<void> => {
      const body = JSON.stringify({ mode, ...more });
      const answer = await fetch(`${url}/control`, { method: "POST", body });
      if (!answer.ok) {
        throw new Error(`the wallet has no mode ${mode}: ${await answer.text()}`);
      }
    },
    /** Credits of a player in its own ledger. */
    creditsOf: async (player_id: string): Promise<Credit[]> =>
      listAt(await ledger(), "credits")
        .map((credit) => ({
          trans_sn: textAt(credit, "trans_sn"),
          amount: textAt(credit, "amount"),
          player_id: textAt(credit, "player_id"),
        }))
        .filter((credit) => credit.player_id === player_id),
    /** Number of payment calls for this payout. */
    payCalls: async (trans_sn: string): Promise<number> =>
      listAt(await ledger(), "attempts").filter(
        (attempt) => dig(attempt, "call") === "pay" && dig(attempt, "trans_sn") === trans_sn,
      ).length,
    close: async () => {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
