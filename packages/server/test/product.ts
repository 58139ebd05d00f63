/** The server of `npm start` with the fault wallet, called over HTTP. */
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Envelope } from "@red/contract/platform/envelope";
import type { Input, Route } from "@red/contract/platform/route";
import { secretBox } from "#platform/secret-box";
import { ensureSecretKey } from "#platform/config";
import { startBundle } from "#test/bundle-process";
import type { BundleProcess } from "#test/bundle-process";
import type { FaultWallet } from "#test/fault-wallet";
import { makeFolder } from "#test/folder";
import { closeConnections, sendOverHttp } from "#test/http-send";
import { until } from "#test/payout-factory";
import { newCallers, requestOf, seedCallers, signedHeaders } from "#test/test-callers";
import type { TestDb } from "#test/test-db";
import { afterAll, beforeAll } from "vitest";

export interface ProductAnswer {
  /** HTTP status. */
  readonly status: number;
  readonly envelope: Envelope;
}

export interface Product {
  /** Calls as `root-op`, or with another token. */
  call<R extends Route>(route: R, input: Input<R>, token?: string): Promise<ProductAnswer>;
  /** Sets a failpoint (`NAME COUNT`, platform/failpoint.ts), waits until the server died there, and starts it again. */
  dieAt(order: string): Promise<void>;
  /** Makes a signed call and returns the status. Sends a buffer unchanged. */
  open(method: "GET" | "POST", path: string, body: object): Promise<number>;
}

/** Runs the server during the tests of the file; use it after database and wallet. */
export function useProduct(t: TestDb, wallet: FaultWallet): Product {
  const folder = makeFolder(afterAll);
  const deadly = path.join(folder, "failpoint");
  const callers = newCallers();
  let server: BundleProcess | null = null;
  async function start() {
    const { url, key, secret } = wallet.access;
    server = await startBundle(t.connection, folder, {
      WALLET_URL: url,
      WALLET_KEY: key,
      WALLET_SECRET: secret,
      LOG_LEVEL: "error",
      FAILPOINTS: deadly,
    });
  }
  beforeAll(async () => {
    await start();
    await seedCallers(t.db, secretBox(ensureSecretKey(folder)), callers);
  });
  afterAll(async () => {
    closeConnections();
    await server?.stop();
  });
  const base = () => server?.url ?? "";
  return {
    async dieAt(order) {
      writeFileSync(deadly, order);
      await until("killed", async () => existsSync(`${deadly}.hit`));
      await server?.kill();
      closeConnections();
      await start();
    },
    async call(route, input, token = callers.token) {
      const { payload, ...request } = requestOf(route, input);
      const { status, bytes } = await sendOverHttp(base(), {
        ...request,
        headers: { token, "content-type": "application/json" },
        payload: payload === null ? null : Buffer.from(payload),
      });
      // The server's own tests check its answers.
      return { status, envelope: JSON.parse(bytes.toString("utf8")) as Envelope };
    },
    async open(method, url, body) {
      const payload = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
      const headers = signedHeaders(callers, method, url, payload);
      return (await sendOverHttp(base(), { method, url, headers, payload })).status;
    },
  };
}
