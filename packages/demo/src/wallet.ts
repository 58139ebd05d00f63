/**
 * The demo wallet, in its own process: pays through the documented wallet call only (platform-api "Call
 * out"). Prints `{"port":…}` when it listens. Environment: PORT, HOST, LEDGER (file), KEY and SECRET of the
 * wallet call; CALLBACK_URL (base URL of the system), CALLBACK_KEY, CALLBACK_SECRET for callbacks after
 * "processing". Without CALLBACK_URL such payouts settle when they are queried.
 */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { optionalEnvironment, portOfEnvironment, requireEnvironment } from "./environment.ts";
import { openLedger } from "./ledger.ts";
import { stopWithParent } from "./lifetime.ts";
import { callUntilAnswered, parseJson } from "./signed-call.ts";
import type { Peer } from "./signed-call.ts";
import { signatureCheck } from "./signing.ts";
import { createBook, readLine } from "./wallet-book.ts";
import type { ProcessingLine } from "./wallet-book.ts";
import { find, pay, problem, settle, statement } from "./wallet-calls.ts";
import type { Reply, Wallet } from "./wallet-calls.ts";

const BODY_BYTES_MAX = 65_536;
/** How long a callback is retried before the wallet waits for a query instead. */
const CALLBACK_PATIENCE_MS = 10 * 60_000;

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    // Without an encoding set, a request's chunks are buffers.
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > BODY_BYTES_MAX) {
      return null;
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

async function answer(wallet: Wallet, request: IncomingMessage, body: Buffer): Promise<Reply> {
  const url = new URL(request.url ?? "/", "http://wallet.invalid");
  const payout = /^\/payouts\/([\w.~-]+)$/.exec(url.pathname)?.[1];
  if (request.method === "POST" && url.pathname === "/payouts") {
    const key = request.headers["idempotency-key"];
    return pay(wallet, parseJson(body.toString("utf8")), typeof key === "string" ? key : undefined);
  }
  if (request.method === "GET" && url.pathname === "/payouts") {
    return statement(wallet, url.searchParams);
  }
  if (request.method === "GET" && payout !== undefined) {
    return find(wallet, payout);
  }
  return problem(404, "not_found", "no such call");
}

function send(response: ServerResponse, reply: Reply): void {
  const json = reply.status === 200 ? "application/json" : "application/problem+json";
  response.writeHead(reply.status, { "content-type": json }).end(JSON.stringify(reply.body));
}

function callbackPeer(): Peer | null {
  const baseUrl = optionalEnvironment("CALLBACK_URL");
  if (baseUrl === null) {
    return null;
  }
  const { CALLBACK_KEY, CALLBACK_SECRET } = requireEnvironment(["CALLBACK_KEY", "CALLBACK_SECRET"]);
  return { baseUrl: baseUrl.replace(/\/$/, ""), key: CALLBACK_KEY, secret: CALLBACK_SECRET };
}

/** An answered payout must be in the ledger: a wallet that cannot write ends instead of answering. */
function endOnFailure(error: unknown): never {
  process.stderr.write(`demo wallet: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  const { LEDGER, KEY, SECRET } = requireEnvironment(["LEDGER", "KEY", "SECRET"]);
  const port = portOfEnvironment();
  const peer = callbackPeer();
  const stopped = new AbortController();
  const check = signatureCheck({ key: KEY, secret: SECRET });
  const book = createBook();
  const replay = (line: unknown) => book.apply(readLine(line));
  const ledger = await openLedger(LEDGER, replay, endOnFailure);

  async function tellWhenDue(line: ProcessingLine): Promise<void> {
    if (line.by === "query" || peer === null) {
      return;
    }
    const { signal } = stopped;
    await sleep(Math.max(0, Date.parse(line.due_at) - Date.now()), undefined, { signal });
    if (book.processing.get(line.call.trans_sn) !== line) {
      return;
    }
    const word = await settle(wallet, line);
    const { trans_sn, ...result } = word;
    const path = `/open/v1/payouts/${encodeURIComponent(trans_sn)}/result`;
    const patience = AbortSignal.timeout(CALLBACK_PATIENCE_MS);
    await callUntilAnswered(peer, "POST", path, result, patience);
  }

  /** Dropping a callback loses nothing: the system queries by trans_sn. */
  const schedule = (line: ProcessingLine) => void tellWhenDue(line).catch(() => undefined);
  const wallet: Wallet = { book, ledger, onProcessing: schedule };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    if (body === null) {
      response.shouldKeepAlive = false;
      return send(response, problem(413, "body_too_large", `at most ${BODY_BYTES_MAX} bytes`));
    }
    const signed = { method: request.method ?? "", path: request.url ?? "", body };
    const fault = check(signed, request.headers);
    if (fault !== null) {
      return send(response, problem(401, fault, "the call is not signed as it must be"));
    }
    const reply = await answer(wallet, request, body);
    await sleep(reply.afterMs ?? 0);
    return send(response, reply);
  }

  const server = createServer((request, response) => {
    // Only the connection can still fail here; its caller queries again.
    void handle(request, response).catch(() => response.destroy());
  });
  stopWithParent(async () => {
    stopped.abort();
    server.close();
    server.closeAllConnections();
    await ledger.close();
  });
  server.listen(port, optionalEnvironment("HOST") ?? "127.0.0.1", () => {
    for (const line of book.processing.values()) {
      schedule(line);
    }
    const address = server.address();
    const bound = typeof address === "object" && address !== null ? address.port : port;
    process.stdout.write(`${JSON.stringify({ port: bound })}\n`);
  });
  server.on("error", endOnFailure);
}

await main().catch(endOnFailure);
