/** A system that a run from outside starts for itself: folder, wallet, first operator. */
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import path from "node:path";
import { claim, claimEqual } from "./claims.ts";
import type { Context } from "./context.ts";
import { environmentOf, freePort, makeFolder, runRedctl, startSystem } from "./server.ts";
import { startWallet } from "./wallet.ts";

/** Starts the system of the current tree. `start` starts it again with the present `environment`. */
export async function openSystem(name: string) {
  const key = { key: `wk_${name}`, secret: randomBytes(24).toString("hex") };
  const wallet = await startWallet(key, 0);
  const admin = { username: `${name}-op`, password: randomBytes(12).toString("hex") };
  const folder = makeFolder(name);
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const environment = environmentOf(folder, port, admin, { url: wallet.url, ...key });
  const root = path.resolve();
  const start = () => startSystem(environment, base, folder);
  const redctl = (args: string) => runRedctl(root, environment, args);
  const context: Context = { base, admin, wallet, redctl, system: await start() };
  async function close(): Promise<void> {
    const { code, ms } = await context.system.stop();
    claimEqual("SIGTERM ends it with status 0", code, 0);
    claim("within ten seconds", ms <= 10_000, `${ms} ms`);
    wallet.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return { context, folder, environment, start, close };
}
