/** One process of the product on a database of its own, with the wallet, an operator and a platform outside. */
import path from "node:path";
import { member } from "../outside/kill/member.ts";
import { commonOf, openSite } from "../outside/kill/stage.ts";
import { freePort, isReady } from "../outside/server.ts";

/** Starts it; `folder` takes its data and the wallet's ledger. */
export async function openAlone(folder: string, databaseUrl: string) {
  const [web, walletPort] = [await freePort(), await freePort()];
  const common = commonOf(databaseUrl, `http://127.0.0.1:${walletPort}`);
  const env = { ...common, PORT: String(web), ROLE: "all", DATA_DIR: path.join(folder, "data") };
  const base = `http://127.0.0.1:${web}`;
  const server = member({
    name: "server",
    command: [process.execPath, "packages/server/dist/main.js"],
    env,
    isReady: () => isReady(base),
  });
  await server.start();
  const site = await openSite(folder, base, env, { PORT: String(walletPort), HOST: "127.0.0.1" });
  /** Ends the server, and this program's own connections. */
  async function leave(): Promise<void> {
    server.leave();
    await server.ended(15_000);
    await site.database.close();
  }
  return {
    server,
    site,
    leave,
    async close(): Promise<void> {
      await leave();
      site.wallet.leave();
      await site.wallet.ended(15_000);
    },
  };
}
