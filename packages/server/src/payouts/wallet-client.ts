/**
 * Makes signed calls to the wallet (platform-api "Call out"): pay and query. Every call limits total time and
 * response size, and never follows redirects or retries. A connection is reused only after a complete response (a
 * 200 must also be about this payout), so an extra response cannot be taken for the answer to a later request.
 */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { Agent as HttpAgent, request as httpRequest, validateHeaderValue } from "node:http";
import type { IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { EXTERNAL_ID_LENGTH_MAX } from "@red/contract/platform/limits";
import { parseCents } from "@red/contract/platform/money";
import { payoutWord } from "@red/contract/payouts/payout";
import type { PayoutCall } from "@red/contract/payouts/payout";
import { signatureHeaders, SIGNING_HEADERS } from "@red/contract/identity/signing";
import { printable, reasonOf } from "./payout-rules.ts";
import type { UnclearWhy, WalletWord } from "./payout-rules.ts";
import { failpoint } from "#platform/failpoint";

/** Maximum number of characters of a response that an attempt stores. */
const KEPT_ANSWER_LENGTH = 2_000;

const ANSWER_BYTES_MAX = 65_536;
/**
 * Idle time of connections. It is shorter than the idle time of servers, so no call uses a connection that the
 * server is closing.
 */
const IDLE_MS = 3_000;

export interface WalletAccess {
  /** URL without a trailing slash. */
  readonly url: string;
  readonly key: string;
  readonly secret: string;
}

/** Returns the headers of one signed call. Every call needs its own signature, because a nonce is valid once. */
export function signedHeaders(
  { key, secret }: WalletAccess,
  method: "GET" | "POST",
  address: URL,
  body: string,
): Record<string, string> {
  const parts = {
    timestamp: String(Math.floor(Date.now() / 1000)),
    nonce: randomBytes(16).toString("hex"),
    method,
    path: `${address.pathname}${address.search}`,
    bodyHash: createHash("sha256").update(body).digest("hex"),
  };
  return {
    ...signatureHeaders(key, parts, (text) =>
      createHmac("sha256", secret).update(text).digest("hex"),
    ),
    accept: "application/json",
  };
}

interface ExchangeRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A complete response, or the reason why no complete response arrived. */
export type Exchanged =
  | {
      readonly status: number;
      readonly body: string;
      readonly retryAfter: string | null;
    }
  | { readonly missing: "timeout" | "too long" | "stopped" | `connection ${string}` };

/** The result for the caller. The connection is kept only when `isSound`. */
interface Reading<T> {
  readonly value: T;
  readonly isSound: boolean;
}

/** Returns the parsed JSON, or undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function collect(
  response: IncomingMessage,
  bytesMax: number,
  finish: (exchanged: Exchanged) => void,
  fail: (fault: unknown) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > bytesMax) {
      finish({ missing: "too long" });
    } else {
      chunks.push(chunk);
    }
  });
  response.on("end", () => {
    finish({
      status: response.statusCode ?? 0,
      body: Buffer.concat(chunks).toString("utf8"),
      retryAfter: response.headers["retry-after"] ?? null,
    });
  });
  // A response that was cut off does not count as an answer.
  response.on("error", fail);
}

function codeOf(fault: unknown): string {
  return fault instanceof Error && "code" in fault ? String(fault.code) : "failed";
}

/** Creates an exchanger. Each exchange ends within `deadlineMs` and `bytesMax`, also when the body arrives slowly. */
export function createExchanger(deadlineMs: number, bytesMax: number = ANSWER_BYTES_MAX) {
  const options = { keepAlive: true, timeout: IDLE_MS };
  const plain = new HttpAgent(options);
  const sealed = new HttpsAgent(options);

  /** Sends the request and calls `read` exactly once with the result. Never rejects. */
  function exchange<T>(
    { method, url, headers, body }: ExchangeRequest,
    signal: AbortSignal,
    read: (exchanged: Exchanged) => Reading<T>,
  ): Promise<T> {
    return new Promise((resolve) => {
      const isSealed = url.protocol === "https:";
      const agent = isSealed ? sealed : plain;
      const request = (isSealed ? httpsRequest : httpRequest)(url, { method, headers, agent });
      let socket: Socket | null = null;
      let isFinished = false;

      const finish = (exchanged: Exchanged) => {
        if (isFinished) {
          return;
        }
        isFinished = true;
        clearTimeout(deadline);
        signal.removeEventListener("abort", stop);
        const { value, isSound } = read(exchanged);
        if (!isSound) {
          request.destroy();
          // After the end of a response, the request has already released its connection.
          socket?.destroy();
        }
        resolve(value);
      };
      const fail = (fault: unknown) => finish({ missing: `connection ${codeOf(fault)}` });
      const stop = () => finish({ missing: "stopped" });
      const deadline = setTimeout(() => finish({ missing: "timeout" }), deadlineMs);

      signal.addEventListener("abort", stop);
      request.on("socket", (used) => {
        socket = used;
      });
      request.on("error", fail);
      request.on("finish", () => failpoint("call_sent"));
      request.on("response", (response) => collect(response, bytesMax, finish, fail));
      request.end(body);
      if (signal.aborted) {
        stop();
      }
    });
  }

  return {
    exchange,
    close() {
      plain.destroy();
      sealed.destroy();
    },
  };
}

export interface WalletAnswer {
  readonly word: WalletWord;
  readonly duration_ms: number;
  readonly http_status: number | null;
  /** The received response as text for people. */
  readonly answer: string | null;
  /** Time in which the wallet must not be called (from Retry-After of 429 and 503). */
  readonly retryAfterMs: number | null;
}

function unclear(why: UnclearWhy): WalletWord {
  return { kind: "unclear", why };
}

/** Only a 200 about this payout and amount is a result. A 404 to a query means: never seen. */
function wordOf(exchanged: Exchanged, method: "GET" | "POST", call: PayoutCall): WalletWord {
  if ("missing" in exchanged) {
    return unclear(exchanged.missing);
  }
  if (exchanged.status === 404 && method === "GET") {
    return { kind: "never_seen" };
  }
  if (exchanged.status !== 200) {
    return unclear(`status ${exchanged.status}`);
  }
  const json = parseJson(exchanged.body);
  if (json === undefined) {
    return unclear("not json");
  }
  const { data: word } = payoutWord.safeParse(json);
  if (word === undefined) {
    return unclear("no word");
  }
  if (word.trans_sn !== call.trans_sn) {
    return unclear("wrong trans_sn");
  }
  if (parseCents(word.amount) !== parseCents(call.amount)) {
    return unclear("wrong amount");
  }
  switch (word.status) {
    case "paid": {
      const wallet_ref = printable(word.wallet_ref ?? "", EXTERNAL_ID_LENGTH_MAX);
      return { kind: "paid", wallet_ref: wallet_ref === "" ? null : wallet_ref };
    }
    case "refused":
      return { kind: "refused", reason: reasonOf(word.reason) };
    case "processing":
      return { kind: "processing" };
    default:
      return word.status satisfies never;
  }
}

const BUSY: ReadonlySet<number> = new Set([429, 503]);

/** Returns how long the wallet must not be called. The Retry-After header contains whole seconds or an HTTP date. */
function retryAfterMsOf(exchanged: Exchanged, now: Date): number | null {
  if ("missing" in exchanged || !BUSY.has(exchanged.status) || exchanged.retryAfter === null) {
    return null;
  }
  const text = exchanged.retryAfter.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}

/**
 * Creates a client of the wallet at `url`. Every call ends within `deadlineMs`; throws when the key is not a
 * valid header value.
 */
export function walletClient(access: WalletAccess, deadlineMs: number) {
  const { url, key } = access;
  validateHeaderValue(SIGNING_HEADERS.key, key);
  const exchanger = createExchanger(deadlineMs);

  async function send(
    request: ExchangeRequest,
    call: PayoutCall,
    signal: AbortSignal,
  ): Promise<WalletAnswer> {
    const start = performance.now();
    const read = (exchanged: Exchanged): Reading<Omit<WalletAnswer, "duration_ms">> => {
      const word = wordOf(exchanged, request.method, call);
      const isSound =
        !("missing" in exchanged) && (word.kind !== "unclear" || exchanged.status !== 200);
      const value =
        "missing" in exchanged
          ? { word, http_status: null, answer: null, retryAfterMs: null }
          : {
              word,
              http_status: exchanged.status,
              answer: printable(exchanged.body, KEPT_ANSWER_LENGTH),
              retryAfterMs: retryAfterMsOf(exchanged, new Date()),
            };
      return { value, isSound };
    };
    const value = await exchanger.exchange(request, signal, read);
    return { ...value, duration_ms: Math.round(performance.now() - start) };
  }

  return {
    /** Requests the payment. Never rejects: a failed call returns "unclear". */
    pay(call: PayoutCall, signal: AbortSignal) {
      const address = new URL(`${url}/payouts`);
      const body = JSON.stringify(call);
      const headers = {
        ...signedHeaders(access, "POST", address, body),
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
        "idempotency-key": call.trans_sn,
      };
      return send({ method: "POST", url: address, headers, body }, call, signal);
    },
    /** Queries the result of a payout by its trans_sn. Never rejects: a failed call returns "unclear". */
    ask(call: PayoutCall, signal: AbortSignal) {
      const address = new URL(`${url}/payouts/${encodeURIComponent(call.trans_sn)}`);
      const headers = signedHeaders(access, "GET", address, "");
      return send({ method: "GET", url: address, headers, body: "" }, call, signal);
    },
    close: () => exchanger.close(),
  };
}
