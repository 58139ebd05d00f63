/** Demo wallet and demo platform (behaviour §7). Both processes use only the public API, like real ones. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Scope } from "@red/contract/platform/permissions";
import type { SecretBox } from "#platform/secret-box";
import { insertApiKey, selectApiKey } from "#identity/api-key-sql";
import { insertAudit } from "#platform/audit";
import { inTransaction } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import type { Logger } from "pino";

/** Each process has a key with only the scopes that it needs. */
const KEYS = {
  platform: { key: "rk_demo", scopes: ["ingest", "draw", "read"] },
  wallet: { key: "rk_demo_wallet", scopes: ["wallet"] },
} as const satisfies Record<string, { readonly key: string; readonly scopes: readonly Scope[] }>;
const WALLET_START_MS = 15_000;

/** A bundled server starts bundled processes. A server run from sources starts sources through a loader. */
const FROM_SOURCE = import.meta.url.endsWith(".ts");

function entry(name: "wallet" | "platform"): string {
  const source = { wallet: "fault-wallet/src/main.ts", platform: "demo/src/platform.ts" }[name];
  const place = FROM_SOURCE ? `../../${source}` : `../../demo/dist/${name}.js`;
  return fileURLToPath(new URL(place, import.meta.url));
}

export interface PlatformKey {
  readonly key: string;
  readonly secret: string;
}

/** Creates the key once. Its secret is derived from SECRET_KEY, so the secret is not stored in plain text. */
export async function ensureDemoKey(
  db: Db,
  secrets: SecretBox,
  whose: keyof typeof KEYS,
): Promise<PlatformKey> {
  const { key, scopes } = KEYS[whose];
  const secret = secrets.derive("demo-key", Buffer.from(key));
  await inTransaction(db, async (tx) => {
    if ((await selectApiKey(tx, key)) === null) {
      const sealed = secrets.seal(`api_key:${key}`, secret);
      await insertApiKey(tx, { key, name: "demo", secret: sealed, scopes: [...scopes] });
      const actor = { kind: "system", name: "demo", request_id: null, address: null } as const;
      await insertAudit(tx, actor, {
        action: "create_key",
        object_type: "api_key",
        object_id: key,
        after: { name: "demo" },
      });
    }
  });
  return { key, secret };
}

const stopping = new WeakSet<ChildProcess>();

function start(
  name: "wallet" | "platform",
  env: Record<string, string>,
  log: Logger,
): ChildProcess {
  const child = spawn(process.execPath, [...process.execArgv, entry(name)], {
    // The child gets only these variables, because the environment of this process contains secrets.
    env,
    // The child's standard input closes when this process ends in any way.
    stdio: ["pipe", "pipe", "pipe"],
  });
  createInterface({ input: child.stderr }).on("line", (line) => log.warn({ demo: name }, line));
  child.on("exit", (code, signal) => {
    const details = { demo: name, code, signal };
    if (stopping.has(child)) {
      log.info(details, "demo process ended");
    } else {
      log.warn(
        details,
        "demo process died: the demonstration stands still until the server restarts",
      );
    }
  });
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  stopping.add(child);
  if (child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const killer = setTimeout(() => child.kill("SIGKILL"), 3_000);
  await ended;
  clearTimeout(killer);
}

/**
 * Starts the demo wallet on a free loopback port, with its ledger in `dataDir`. The wallet sends callbacks
 * to `baseUrl`.
 */
export async function startDemoWallet(deps: {
  readonly dataDir: string;
  readonly baseUrl: string;
  /** Key that signs the callbacks. */
  readonly callback: PlatformKey;
  readonly log: Logger;
}) {
  const key = "demo-wallet";
  const secret = randomBytes(32).toString("base64url");
  const child = start(
    "wallet",
    {
      PORT: "0",
      HOST: "127.0.0.1",
      LEDGER: path.join(deps.dataDir, "demo-wallet.ledger"),
      KEY: key,
      SECRET: secret,
      OUTCOMES: "demo",
      CALLBACK_URL: deps.baseUrl,
      CALLBACK_KEY: deps.callback.key,
      CALLBACK_SECRET: deps.callback.secret,
    },
    deps.log,
  );
  const { stdout } = child;
  const port = await new Promise<number>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error("the demo wallet did not start")),
      WALLET_START_MS,
    );
    child.once("exit", () => reject(new Error("the demo wallet ended at once")));
    if (stdout !== null) {
      createInterface({ input: stdout }).once("line", (line) => {
        clearTimeout(late);
        resolve(Number((JSON.parse(line) as { port?: unknown }).port));
      });
    }
  });
  return {
    wallet: { url: `http://127.0.0.1:${port}`, key, secret },
    stop: () => stop(child),
  };
}

export function startDemoPlatform(deps: {
  readonly baseUrl: string;
  readonly platform: PlatformKey;
  readonly log: Logger;
}): { stop(): Promise<void> } {
  const { key, secret } = deps.platform;
  const child = start("platform", { BASE_URL: deps.baseUrl, KEY: key, SECRET: secret }, deps.log);
  return { stop: () => stop(child) };
}
