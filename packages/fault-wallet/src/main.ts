/**
 * A wallet for tests and for the demonstration, in its own process. It can fail in every way in which a wallet can fail.
 * Its own ledger shows what it credited, independently of the system. Environment: PORT, HOST, LEDGER, KEY, SECRET, and
 * CALLBACK_URL, CALLBACK_KEY, CALLBACK_SECRET for callbacks after "processing"; TLS=on makes the public port
 * speak TLS. Unsigned calls for the test, also on a plain control port: `POST /control` (modes.ts), `GET
 * /control`, `POST /leap` with the `seconds` to skip, `GET /ledger`, `GET /authority`. With OUTCOMES=demo these calls are
 * refused, and each payout has the outcome of its number (demo-outcomes.ts).
 */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { optionalEnvironment, requireEnvironment } from "@red/demo/environment";
import { answerWallet, noteViolation } from "./answers.ts";
import type { FaultyWallet } from "./answers.ts";
import { openLedger, readLedger } from "./ledger.ts";
import { createFaultsClock } from "./clock.ts";
import { scheduleSettlement } from "./credit.ts";
import { openPorts } from "./ports.ts";
import { readControl } from "./modes.ts";
import type { Control } from "./modes.ts";
import { callbackHeaders, signatureRules } from "./rules.ts";
import { answerJson } from "./write-answer.ts";
import { createFaultChoice, nextOfDemo } from "./choose-fault.ts";
import { stopWithParent } from "@red/demo/lifetime";

const { LEDGER, KEY, SECRET } = requireEnvironment(["LEDGER", "KEY", "SECRET"]);
const ledger = openLedger(LEDGER);
const brokenSignature = signatureRules(KEY, SECRET);

/** Sends a callback until the system accepts it or answers below 500. */
async function sendCallback(transSn: string, result: object, left = 20): Promise<void> {
  const base = optionalEnvironment("CALLBACK_URL");
  if (base === null || left === 0) {
    return;
  }
  const url = new URL(`${base}/open/v1/payouts/${encodeURIComponent(transSn)}/result`);
  const body = JSON.stringify(result);
  const key = optionalEnvironment("CALLBACK_KEY") ?? "";
  const headers = callbackHeaders(
    key,
    optionalEnvironment("CALLBACK_SECRET") ?? "",
    url.pathname,
    body,
  );
  const answer = await fetch(url, { method: "POST", headers, body }).catch(() => null);
  if (answer === null || answer.status >= 500) {
    setTimeout(() => void sendCallback(transSn, result, left - 1), 500);
  }
}

const isDemo = optionalEnvironment("OUTCOMES") === "demo";
const faults = { ...createFaultChoice(), ...(isDemo ? { next: nextOfDemo(ledger) } : {}) };
const clock = createFaultsClock();
const wallet: FaultyWallet = {
  ledger,
  clock,
  sendCallback,
  faults,
  deniedUntil: new Map(),
  hasForgotten({ paid_at }) {
    const { forgets_after } = faults.state();
    return forgets_after !== null && clock.now() - Date.parse(paid_at) >= forgets_after * 1000;
  },
};

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}

/** How connections are treated: swallowed, or accepted with this certificate. */
function entranceOf({ mode, certificate }: Control): string {
  return mode === "blackhole" ? mode : certificate;
}

/** The test's own calls. An answer with `wrong` names a wrong field. */
const TEST_CALLS: Readonly<
  Record<string, (body: unknown, socket: Socket) => object | Promise<object>>
> = {
  "POST /control"(body, socket) {
    const control = readControl(body);
    if ("wrong" in control) {
      return control;
    }
    const before = entranceOf(faults.state());
    faults.set(control);
    if (entranceOf(control) !== before) {
      // Only new connections are treated in the new way.
      ports.cutOthers(socket);
    }
    return control;
  },
  "POST /leap"(body) {
    const { seconds } = { seconds: null, ...(body as { seconds?: unknown } | null) };
    if (typeof seconds !== "number" || seconds < 0) {
      return { wrong: "seconds" };
    }
    clock.leap(seconds * 1000);
    return { seconds };
  },
  "GET /control": () => faults.state(),
  async "GET /ledger"() {
    await ledger.flush();
    return readLedger(LEDGER);
  },
  "GET /authority": () => ({ pem: ports.authority }),
};

/** Answers the test's own calls; false for any other call. */
async function answerTest(
  { method, url: path = "", socket }: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): Promise<boolean> {
  const answer = await TEST_CALLS[`${method} ${path}`]?.(parsed(body), socket);
  if (answer !== undefined) {
    answerJson(response, "wrong" in answer ? 400 : 200, answer);
    return true;
  }
  if (!path.startsWith("/elsewhere")) {
    return false;
  }
  // A caller that follows the redirect would take this body for the wallet's result.
  const { searchParams } = new URL(path, "http://wallet.invalid");
  await noteViolation(wallet, "redirect_followed", `${method} ${path}`);
  answerJson(response, 200, { status: "paid", ...Object.fromEntries(searchParams) });
  return true;
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  if (!isDemo && (await answerTest(request, response, body))) {
    return;
  }
  const path = request.url ?? "";
  const method = request.method ?? "";
  const broken = brokenSignature(method, path, request.headers, body);
  if (broken !== null) {
    await noteViolation(wallet, broken.rule, broken.detail);
    return answerJson(response, broken.status, { code: broken.rule });
  }
  return answerWallet(wallet, { method, path, body }, request.headers, response);
}

const server = createServer((request, response) => {
  void handle(request, response).catch((error: unknown) => {
    process.stderr.write(`test wallet: ${String(error)}\n`);
    response.destroy();
  });
});
const ports = openPorts(server, optionalEnvironment("TLS") === "on", () => wallet.faults.state());
stopWithParent(async () => {
  ports.close();
  server.closeAllConnections();
  await ledger.flush();
  ledger.close();
});
const port = Number(optionalEnvironment("PORT") ?? "0");
const opened = await ports.open(port, optionalEnvironment("HOST") ?? "127.0.0.1");
for (const pending of ledger.pending.values()) {
  scheduleSettlement(wallet, pending);
}
process.stdout.write(`${JSON.stringify(opened)}\n`);
