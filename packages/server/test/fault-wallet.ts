/** Runs packages/fault-wallet as a process: it fails as `control` says, and has its own ledger of credits. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { WalletAccess } from "#payouts/wallet-client";
import { endProcess, firstLineOf } from "#test/entry-process";
import { makeFolder } from "#test/folder";
import type { TestApp } from "#test/test-app";
import { afterAll, beforeAll } from "vitest";

const ENTRY = fileURLToPath(new URL("../../fault-wallet/src/main.ts", import.meta.url));
const KEY = "wk_test";
const SECRET = "a secret of the test wallet";

/** Where the wallet sends callbacks, and as whom. */
export interface Callbacks {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
}

interface LedgerCredit {
  readonly trans_sn: string;
  readonly player_id: string;
  readonly amount: string;
  readonly turnover: number;
  readonly red_code: string;
  readonly rounds_id: number;
}

interface LedgerAttempt {
  readonly at: string;
  readonly call: "pay" | "query" | "statement";
  readonly trans_sn: string | null;
  readonly mode: string;
  readonly credit: "new" | "known" | "none";
}

interface LedgerLine {
  readonly credit?: LedgerCredit;
  readonly attempt?: LedgerAttempt;
  readonly violation?: { readonly rule: string; readonly detail: string };
}

export interface WalletLedger {
  readonly credits: readonly LedgerCredit[];
  readonly attempts: readonly LedgerAttempt[];
  readonly violations: readonly NonNullable<LedgerLine["violation"]>[];
}

/* A line is on the disk before its answer is sent. The last line may be incomplete. */
function readLedger(text: string): WalletLedger {
  const entries = text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LedgerLine);
  return {
    credits: entries.flatMap(({ credit }) => credit ?? []),
    attempts: entries.flatMap(({ attempt }) => attempt ?? []),
    violations: entries.flatMap(({ violation }) => violation ?? []),
  };
}

export interface FaultWallet {
  readonly access: WalletAccess;
  /** Sets its faults; fields left out have their healthy default. */
  control(how: Readonly<Record<string, unknown>>): Promise<void>;
  /** Number of payouts that have met a fault since `control`. */
  met(): Promise<number>;
  /** Advances its clock by `ms`; does nothing while the wallet is stopped. */
  leap(ms: number): Promise<void>;
  /** Reads its file, also while the wallet is stopped. */
  ledger(): Promise<WalletLedger>;
  /** Its certificate authority as PEM; only with TLS. */
  authority(): Promise<string>;
  /** Starts it (again) with the same ledger, and the same port if it had one. */
  start(callbacks?: Callbacks): Promise<void>;
  /** Kills it like a crash. */
  kill(): Promise<void>;
}

async function callTest(url: string, method: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (response.status !== 200) {
    throw new Error(`${method} ${url}: ${JSON.stringify(answer)}`);
  }
  return answer;
}

/** Runs the wallet during the tests of the file. */
export function useFaultWallet(tls: "on" | "off" = "off"): FaultWallet {
  const ledgerFile = path.join(makeFolder(afterAll), "ledger.jsonl");
  /** Its ports; faults do not affect the test's own calls to `control`. */
  let listens = { port: 0, control: 0 };
  let child: ChildProcess | null = null;

  const call = (method: string, address: string, body?: object) =>
    callTest(`http://127.0.0.1:${listens.control}${address}`, method, body);

  async function start(callbacks?: Callbacks): Promise<void> {
    const started = spawn(process.execPath, ["--import", "tsx", ENTRY], {
      env: {
        PATH: "",
        PORT: String(listens.port),
        LEDGER: ledgerFile,
        KEY,
        SECRET,
        TLS: tls,
        CALLBACK_URL: callbacks?.url ?? "",
        CALLBACK_KEY: callbacks?.key ?? "",
        CALLBACK_SECRET: callbacks?.secret ?? "",
      },
      stdio: ["pipe", "pipe", "inherit"],
    });
    child = started;
    listens = JSON.parse(await firstLineOf(started, "the test wallet")) as typeof listens;
  }

  const kill = async () => {
    if (child !== null) {
      await endProcess(child);
    }
  };

  beforeAll(() => start());
  afterAll(kill);

  return {
    get access() {
      const protocol = tls === "on" ? "https" : "http";
      return { url: `${protocol}://127.0.0.1:${listens.port}`, key: KEY, secret: SECRET };
    },
    async control(how) {
      await call("POST", "/control", how);
    },
    async met() {
      return ((await call("GET", "/control")) as { met: number }).met;
    },
    async leap(ms) {
      if (child?.exitCode === null && child.signalCode === null) {
        await call("POST", "/leap", { seconds: ms / 1000 });
      }
    },
    async authority() {
      return ((await call("GET", "/authority")) as { pem: string }).pem;
    },
    async ledger() {
      return readLedger(await readFile(ledgerFile, "utf8"));
    },
    start,
    kill,
  };
}

/** Lets the application listen, and the wallet send its callbacks there. */
export async function startCallbacks({ app, key, secret }: TestApp, wallet: FaultWallet) {
  if (!app.server.listening) {
    await app.listen({ port: 0, host: "127.0.0.1" });
  }
  // The application is listening: its address has a port.
  const { port } = app.server.address() as AddressInfo;
  await wallet.kill();
  await wallet.start({ url: `http://127.0.0.1:${port}`, key, secret });
}
