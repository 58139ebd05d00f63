/** For tests: starts a wallet or platform as a process, calls it as the system does, and plays the system. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { PayoutCall } from "@red/contract/payouts/payout";
import { parseJson } from "./signed-call.ts";
import { sign } from "./signing.ts";
import type { Credentials } from "./signing.ts";

const CREDENTIALS: Credentials = { key: "wk_test", secret: "wallet-secret-for-tests" };

export interface Entry {
  readonly url: string;
  /** The test wallet's control port, which works in every mode. */
  readonly controlUrl: string;
  kill(): Promise<void>;
}

/** Starts the program at `entry` with the key and secret of CREDENTIALS. */
export function startEntry(entry: URL, environment: Readonly<Record<string, string>>) {
  const { key, secret } = CREDENTIALS;
  return spawn(process.execPath, ["--import", "tsx", fileURLToPath(entry)], {
    env: { ...process.env, KEY: key, SECRET: secret, ...environment },
    stdio: ["pipe", "pipe", "inherit"],
  });
}

/** Starts a wallet; resolves when it has printed its port. */
export async function startWallet(
  entry: URL,
  environment: Readonly<Record<string, string>>,
): Promise<Entry> {
  const child = startEntry(entry, { PORT: "0", ...environment });
  const lines = createInterface({ input: child.stdout });
  const [line]: unknown[] = await Promise.race([
    once(lines, "line"),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`ended with ${String(code)}`))),
  ]);
  const urlOf = (name: string) => {
    const port = new RegExp(`"${name}":(\\d+)`).exec(String(line))?.[1];
    return `http://127.0.0.1:${port ?? "unknown"}`;
  };
  return {
    url: urlOf("port"),
    controlUrl: urlOf("control"),
    async kill() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
    },
  };
}

export interface Heard {
  readonly status: number;
  readonly text: string;
  /** Null when it is not JSON: a failing wallet may answer anything. */
  readonly body: unknown;
}

export function payoutCall(trans_sn: string, amount = "8.88"): PayoutCall {
  return {
    trans_sn,
    player_id: "p1",
    user_name: "player01",
    amount,
    turnover: 3,
    red_code: "RED_PACKET",
    rounds_id: 41,
    created_at: "2026-11-20T20:00:01.123+08:00",
  };
}

/** Makes one signed call. `headers` are set after the signature and may break it. Rejects without an answer. */
export async function call(
  base: string,
  method: "GET" | "POST",
  path: string,
  body: object | null,
  headers: Readonly<Record<string, string>> = {},
): Promise<Heard> {
  const text = body === null ? "" : JSON.stringify(body);
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { ...sign({ method, path, body: text }, CREDENTIALS), ...headers },
    ...(body === null ? {} : { body: text }),
    redirect: "manual",
    signal: AbortSignal.timeout(10_000),
  });
  const heard = await response.text();
  return { status: response.status, text: heard, body: parseJson(heard) };
}

export function pay(base: string, order: PayoutCall): Promise<Heard> {
  return call(base, "POST", "/payouts", order, { "idempotency-key": order.trans_sn });
}

export function ask(base: string, transSn: string): Promise<Heard> {
  return call(base, "GET", `/payouts/${transSn}`, null);
}

export interface Told {
  readonly path: string;
  /** Null if the signature is correct. */
  readonly fault: string | null;
  readonly body: unknown;
}

/** Plays the system: records every call, and answers what `reply` returns. */
export async function startSystem(reply: (one: Told) => { status: number; body: object }) {
  const told: Told[] = [];
  const nonces = new Set<string>();
  const server = createServer((request, response) => {
    const answer = (body: Buffer) => {
      const path = request.url ?? "";
      const [time, nonce] = ["x-timestamp", "x-nonce"].map((name) => String(request.headers[name]));
      const right = sign({ method: request.method ?? "", path, body }, CREDENTIALS, time, nonce);
      const isSigned =
        Object.entries(right).every(([name, value]) => request.headers[name] === value) &&
        Math.abs(Date.now() / 1000 - Number(time)) < 60 &&
        nonces.size < nonces.add(nonce ?? "").size;
      const fault = isSigned ? null : "not signed as it must be";
      const one = { path, fault, body: parseJson(body.toString("utf8")) };
      told.push(one);
      const { status, body: answered } = reply(one);
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(answered));
    };
    // A caller that is killed leaves half a request.
    void buffer(request).then(answer, () => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server on a port has an address of this type.
  const { port } = server.address() as AddressInfo;
  return { told, server, url: `http://127.0.0.1:${port}` };
}
