/** The wallet's two calls (platform-api "Call out"): pay, and ask what became of it. */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { validateHeaderValue } from "node:http";
import { EXTERNAL_ID_LENGTH_MAX } from "@red/contract/limits";
import { parseCents } from "@red/contract/money";
import { payoutWord } from "@red/contract/payout";
import type { PayoutCall } from "@red/contract/payout";
import { SIGNING_HEADERS, stringToSign } from "@red/contract/signing";
import { printable, reasonOf } from "./payout-rules.ts";
import type { UnclearWhy, WalletWord } from "./payout-rules.ts";
import { createExchanger } from "./wallet-exchange.ts";
import type { Exchanged, ExchangeRequest, Reading } from "./wallet-exchange.ts";

/** Of a longer answer, the attempt keeps the beginning. */
const KEPT_ANSWER_LENGTH = 2_000;

/** Where the wallet is, and as whom it is called. */
export interface WalletAccess {
  /** Without a slash at its end. */
  readonly url: string;
  readonly key: string;
  readonly secret: string;
}

/** What a call brought. */
export interface WalletAnswer {
  readonly word: WalletWord;
  readonly duration_ms: number;
  readonly http_status: number | null;
  /** The answer as it came, for people to read. */
  readonly answer: string | null;
  /** How long the wallet wishes not to be called (429 and 503 with Retry-After). */
  readonly retryAfterMs: number | null;
}

export interface WalletClient {
  /** Asks the wallet to pay. Never rejects: a failure is an unclear word. */
  pay(call: PayoutCall, signal: AbortSignal): Promise<WalletAnswer>;
  /** Asks what became of a payout, by its number. Never rejects either. */
  ask(call: PayoutCall, signal: AbortSignal): Promise<WalletAnswer>;
  /** Closes idle connections. */
  close(): void;
}

/** What is no word at all, and why. */
function unclear(why: UnclearWhy): WalletWord {
  return { kind: "unclear", why };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Only a 200 about this very payout and amount is a word; a 404 is one where we merely ask. */
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

/** Statuses with which a Retry-After says when to come back. */
const BUSY: ReadonlySet<number> = new Set([429, 503]);

/** How long a wallet asks to be left alone: whole seconds, or until an instant of HTTP. */
function retryAfterMsOf(exchanged: Exchanged, now: Date): number | null {
  if ("missing" in exchanged || !BUSY.has(exchanged.status) || exchanged.retryAfter === null) {
    return null;
  }
  const text = exchanged.retryAfter.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}

/**
 * A wallet at `url`; every call ends within `deadlineMs`. Throws when the key cannot be sent in a
 * header.
 */
export function walletClient({ url, key, secret }: WalletAccess, deadlineMs: number): WalletClient {
  validateHeaderValue(SIGNING_HEADERS.key, key);
  const exchanger = createExchanger(deadlineMs);

  /** Every attempt is signed anew. */
  function signed(method: "GET" | "POST", address: URL, body: string): Record<string, string> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const nonce = randomBytes(16).toString("hex");
    const path = `${address.pathname}${address.search}`;
    const bodyHash = createHash("sha256").update(body).digest("hex");
    const text = stringToSign({ timestamp, nonce, method, path, bodyHash });
    return {
      [SIGNING_HEADERS.key]: key,
      [SIGNING_HEADERS.timestamp]: timestamp,
      [SIGNING_HEADERS.nonce]: nonce,
      [SIGNING_HEADERS.signature]: createHmac("sha256", secret).update(text).digest("hex"),
      accept: "application/json",
    };
  }

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
    pay(call, signal) {
      const address = new URL(`${url}/payouts`);
      const body = JSON.stringify(call);
      const headers = {
        ...signed("POST", address, body),
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
        "idempotency-key": call.trans_sn,
      };
      return send({ method: "POST", url: address, headers, body }, call, signal);
    },
    ask(call, signal) {
      const address = new URL(`${url}/payouts/${encodeURIComponent(call.trans_sn)}`);
      const headers = signed("GET", address, "");
      return send({ method: "GET", url: address, headers, body: "" }, call, signal);
    },
    close: () => exchanger.close(),
  };
}
