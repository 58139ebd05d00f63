/**
 * A wallet for tests and for the demonstration, in its own process, that can fail in every way that a wallet can. Its
 * own ledger shows what it credited, independently of the system. Environment: PORT, HOST, LEDGER, KEY, SECRET, and
 * CALLBACK_URL, CALLBACK_KEY, CALLBACK_SECRET for callbacks after "processing"; TLS=on makes the public port
 * speak TLS. Unsigned calls for the test, also on a plain control port: `POST /control` (modes.ts), `GET
 * /control`, `POST /leap` with the `seconds` to skip, `GET /ledger`, `GET /authority`. OUTCOMES=demo refuses those:
 * then each payout has the outcome of its number (demo-outcomes.ts).
 */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { optionalEnvironment, requireEnvironment } from "@red/demo/environment";
import { answerWallet, noteViolation } from "./answers.ts";
import type { Counter } from "./answers.ts";
import { openFaultsBook, readLedger } from "./ledger.ts";
import { createFaultsClock } from "./clock.ts";
import { tellWhenDue } from "./credit.ts";
import { openDoor } from "./ports.ts";
import { readControl } from "./modes.ts";
import type { Control } from "./modes.ts";
import { callbackHeaders, signatureRules } from "./rules.ts";
import { answerJson } from "./write-answer.ts";
import { createFaultSwitch, nextOfDemo } from "./choose-fault.ts";
import { stopWithParent } from "@red/demo/lifetime";

const { LEDGER, KEY, SECRET } = requireEnvironment(["LEDGER", "KEY", "SECRET"]);
const book = openFaultsBook(LEDGER);
const brokenSignature = signatureRules(KEY, SECRET);

/** Sends a callback until it is accepted or plainly refused; the system may also query. */
async function tell(transSn: string, word: object, left = 20): Promise<void> {
  const base = optionalEnvironment("CALLBACK_URL");
  if (base === null || left === 0) {
    return;
  }
  const url = new URL(`${base}/open/v1/payouts/${encodeURIComponent(transSn)}/result`);
  const body = JSON.stringify(word);
  const key = optionalEnvironment("CALLBACK_KEY") ?? "";
  const headers = callbackHeaders(
    key,
    optionalEnvironment("CALLBACK_SECRET") ?? "",
    url.pathname,
    body,
  );
  const answer = await fetch(url, { method: "POST", headers, body }).catch(() => null);
  if (answer === null || answer.status >= 500) {
    setTimeout(() => void tell(transSn, word, left - 1), 500);
  }
}

const isDemo = optionalEnvironment("OUTCOMES") === "demo";
const faults = { ...createFaultSwitch(), ...(isDemo ? { next: nextOfDemo(book) } : {}) };
const clock = createFaultsClock();
const counter: Counter = {
  book,
  clock,
  tell,
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

/** What decides how connections are treated. */
function entranceOf({ mode, certificate }: Control): string {
  return mode === "blackhole" ? mode : certificate;
}

/** What the test's own calls are answered; `wrong` names a wrong field. */
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
      door.renew(socket);
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
    await book.flush();
    return readLedger(LEDGER);
  },
  "GET /authority": () => ({ pem: door.authority }),
};

/** Answers the test's own calls; false for any other call. */
async function answerTest(
  { method, url: path = "", socket }: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): Promise<boolean> {
  const told = await TEST_CALLS[`${method} ${path}`]?.(parsed(body), socket);
  if (told !== undefined) {
    answerJson(response, "wrong" in told ? 400 : 200, told);
    return true;
  }
  if (!path.startsWith("/elsewhere")) {
    return false;
  }
  // A caller that follows the redirect would take this body for the wallet's result.
  const { searchParams } = new URL(path, "http://wallet.invalid");
  await noteViolation(counter, "redirect_followed", `${method} ${path}`);
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
    await noteViolation(counter, broken.rule, broken.detail);
    return answerJson(response, broken.status, { code: broken.rule });
  }
  return answerWallet(counter, { method, path, body }, request.headers, response);
}

const server = createServer((request, response) => {
  void handle(request, response).catch((error: unknown) => {
    process.stderr.write(`test wallet: ${String(error)}\n`);
    response.destroy();
  });
});
const door = openDoor(server, optionalEnvironment("TLS") === "on", () => counter.faults.state());
stopWithParent(async () => {
  door.close();
  server.closeAllConnections();
  await book.flush();
  book.close();
});
const port = Number(optionalEnvironment("PORT") ?? "0");
const ports = await door.open(port, optionalEnvironment("HOST") ?? "127.0.0.1");
for (const pending of book.pending.values()) {
  tellWhenDue(counter, pending);
}
process.stdout.write(`${JSON.stringify(ports)}\n`);
