/**
 * The system on more than one machine: PostgreSQL, a web process, a worker and the wallet, each a process that can be
 * killed.
 */
import { existsSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { claim } from "../claims.ts";
import { parsed, textAt, numberAt } from "../json.ts";
import { operatorOf } from "../operator.ts";
import { platformOf } from "../platform.ts";
import { freePort, isReady, runRedctl } from "../server.ts";
import { makeKey } from "../setup.ts";
import { bindAndSignIn } from "../sign-in.ts";
import { openDatabase } from "./database.ts";
import { member } from "./member.ts";

const MAIN = "packages/server/dist/main.js";
const FROM_SOURCE = [process.execPath, "--import", "tsx"] as const;
const ADMIN = { username: "kill-op", password: "a password for kills" };
const WALLET = { KEY: "wk_kill", SECRET: "a secret between a wallet and who is killed" };

const told = async (line: string | null) => line !== null;

/** A process of the product, and the file that tells it where to die. */
function product(name: "web" | "worker", port: number, env: Record<string, string>) {
  const file = `${env["DATA_DIR"]}.failpoint`;
  const environment = { ...env, PORT: String(port), ROLE: name, FAILPOINTS: file };
  const made = member({
    name,
    command: [process.execPath, MAIN],
    env: environment,
    isReady: () => isReady(`http://127.0.0.1:${port}`),
  });
  return {
    ...made,
    /** Lets it die when it passes a place for the given time. */
    dieAt(place: string, pass: number): void {
      writeFileSync(`${file}.draft`, `${place} ${pass}`);
      renameSync(`${file}.draft`, file);
    },
    /** True when it died at the set place. */
    hasDied: () => existsSync(`${file}.hit`),
    /** Cancels `dieAt`. */
    spare(): void {
      for (const one of [file, `${file}.hit`]) {
        if (existsSync(one)) {
          renameSync(one, `${file}.done`);
        }
      }
    },
  };
}

export type Victim = ReturnType<typeof product>;

/** Address of the embedded database, from its first printed line. */
function addressOf(line: string): string {
  const connection = parsed(line);
  const secret = encodeURIComponent(textAt(connection, "password"));
  const folder = encodeURIComponent(textAt(connection, "host"));
  return `postgres://${textAt(connection, "user")}:${secret}@localhost/${textAt(connection, "database")}?host=${folder}`;
}

/** Environment of all processes of the product, which pay through the wallet at `walletUrl`. */
export function commonOf(DATABASE_URL: string, walletUrl: string) {
  return {
    HOST: "127.0.0.1",
    DATABASE_URL,
    DEMO: "off",
    BUSINESS_TZ: "Asia/Shanghai",
    SECRET_KEY: "one key for all processes of the kill proof",
    LOG_LEVEL: "warn",
    WALLET_URL: walletUrl,
    WALLET_KEY: WALLET.KEY,
    WALLET_SECRET: WALLET.SECRET,
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
  };
}

/**
 * What the load and the oracle work with, once a web process answers at `base`: the wallet at its port, an operator, a
 * platform, the database. `env` is that of the worker, which has the anchors of the seals; `treeOf` names the folder of the
 * release whose redctl works with the database.
 */
export async function openSite(
  folder: string,
  base: string,
  env: Readonly<Record<string, string>> & { readonly DATABASE_URL: string },
  walletAt: { readonly PORT: string; readonly HOST: string },
  treeOf: () => string = process.cwd,
) {
  const redctl = (args: string) => runRedctl(treeOf(), env, args);
  const callback = await makeKey(redctl, "wallet", "wallet");
  const ledger = path.join(folder, "wallet.ledger");
  const wallet = member({
    name: "wallet",
    command: [...FROM_SOURCE, "packages/fault-wallet/src/main.ts"],
    env: {
      ...walletAt,
      LEDGER: ledger,
      ...WALLET,
      CALLBACK_URL: base,
      CALLBACK_KEY: callback.key,
      CALLBACK_SECRET: callback.secret,
    },
    endsWithInput: true,
    isReady: told,
  });
  await wallet.start();
  const { token } = await bindAndSignIn(base, ADMIN.username, ADMIN.password);
  return {
    base,
    token,
    wallet,
    database: await openDatabase(env.DATABASE_URL),
    operator: operatorOf(base, token),
    platform: platformOf(base, await makeKey(redctl, "kill")),
    /** The wallet's ledger, on disk. */
    ledger,
    redctl,
    /** Sets the wallet's behaviour; see the modes of the test wallet. */
    async tellWallet(mode: object): Promise<void> {
      const control = numberAt(parsed(wallet.line() ?? ""), "control");
      const body = JSON.stringify(mode);
      const answer = await fetch(`http://${walletAt.HOST}:${control}/control`, {
        method: "POST",
        body,
      });
      if (!answer.ok) {
        throw new Error(`the wallet does not know ${body}: ${await answer.text()}`);
      }
    },
  };
}

export type Site = Awaited<ReturnType<typeof openSite>>;

/** Starts everything in `folder`. PostgreSQL restarts by itself after a kill. */
export async function openStage(folder: string) {
  const [webPort, workerPort, walletPort] = [await freePort(), await freePort(), await freePort()];
  const base = `http://127.0.0.1:${webPort}`;
  const postgres = member({
    name: "postgres",
    command: [...FROM_SOURCE, "packages/server/test/embedded-process.ts", path.join(folder, "pg")],
    endsWithInput: true,
    isReady: told,
  });
  await postgres.start();
  const common = commonOf(addressOf(postgres.line() ?? ""), `http://127.0.0.1:${walletPort}`);
  const at = (name: string) => ({ ...common, DATA_DIR: path.join(folder, name) });
  const web = product("web", webPort, at("web"));
  const worker = product("worker", workerPort, at("worker"));
  // P13: dies before a migration is committed and starts again.
  web.dieAt("migration_run", 1);
  await web.start();
  claim("P13 in a migration: died, started again, and was ready", web.hasDied());
  web.spare();
  const walletAt = { PORT: String(walletPort), HOST: "127.0.0.1" };
  const site = await openSite(folder, base, at("worker"), walletAt);
  await worker.start();
  const everybody = [web, worker, site.wallet, postgres];
  return {
    ...site,
    web,
    worker,
    async close(): Promise<void> {
      await site.database.close();
      for (const one of everybody) {
        one.leave();
        await one.ended(15_000);
      }
    },
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;
