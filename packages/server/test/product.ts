/** The server of `npm start` with the fault wallet, called over HTTP. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Envelope } from "@red/contract/envelope";
import type { Input, Route } from "@red/contract/route";
import { fillPath } from "@red/contract/route";
import { secretBox } from "#platform/secret-box";
import { ensureSecretKey } from "#platform/config";
import { startBundle } from "#test/bundle-process";
import type { BundleProcess } from "#test/bundle-process";
import type { FaultWallet } from "#test/fault-wallet";
import { closeConnections, sendOverHttp } from "#test/http-send";
import { newCallers, seedCallers, signedHeaders } from "#test/test-callers";
import type { TestDb } from "#test/test-db";
import { afterAll, beforeAll } from "vitest";

export interface ProductAnswer {
  /** HTTP status. */
  readonly status: number;
  readonly envelope: Envelope;
}

export interface Product {
  /** As `root-op`, unless a token is given. */
  call<R extends Route>(route: R, input: Input<R>, token?: string): Promise<ProductAnswer>;
  /** Signed; answers the status. Sends a buffer as it is. */
  open(method: "GET" | "POST", path: string, body: object): Promise<number>;
}

/* The type knows a route's parts; this reads them. */
interface Parts {
  readonly params?: Record<string, string | number>;
  readonly query?: Record<string, unknown>;
  readonly body?: object;
}

/** Runs the server during the tests of the file; use it after database and wallet. */
export function useProduct(t: TestDb, wallet: FaultWallet): Product {
  const folder = mkdtempSync(path.join(tmpdir(), "red-product-"));
  const callers = newCallers();
  let server: BundleProcess | null = null;
  beforeAll(async () => {
    const { url, key, secret } = wallet.access;
    server = await startBundle(t.connection, folder, {
      WALLET_URL: url,
      WALLET_KEY: key,
      WALLET_SECRET: secret,
      LOG_LEVEL: "error",
    });
    await seedCallers(t.db, secretBox(ensureSecretKey(folder)), callers);
  });
  afterAll(async () => {
    closeConnections();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const base = () => server?.url ?? "";
  return {
    async call(route, input, token = callers.token) {
      const { params, query, body } = input as Parts;
      const pairs = Object.entries(query ?? {}).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      const search = `?${new URLSearchParams(pairs).toString()}`;
      const { status, bytes } = await sendOverHttp(base(), {
        method: route.method,
        url: fillPath(route.path, params ?? {}) + search,
        headers: { token, "content-type": "application/json" },
        payload: body === undefined ? null : Buffer.from(JSON.stringify(body)),
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
