/**
 * Makes single calls to an examined wallet, with a right or wrong signature, and returns the whole answer. Unlike the
 * worker's client it judges nothing.
 */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { PayoutCall } from "@red/contract/payouts/payout";
import { signatureHeaders } from "@red/contract/identity/signing";

/** The wallet's URL without a trailing slash, and the caller's credentials. */
export interface WalletAccess {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
}

const ANSWER_BYTES_MAX = 4_194_304;

/** The parts of the signature to break; parts left out are correct. */
export interface Spoiling {
  readonly unsigned?: boolean;
  readonly key?: string;
  /** A signature that no secret gives. */
  readonly signature?: string;
  /** Signs this body instead of the sent one. */
  readonly signedBody?: string;
  /** Signs this path instead of the called one. */
  readonly signedPath?: string;
  /** Clock error, in seconds. */
  readonly clockSkew?: number;
  readonly nonce?: string;
}

export type Heard =
  | {
      readonly status: number;
      readonly contentType: string;
      readonly body: string;
      /** Undefined when the body is not JSON. */
      readonly json: unknown;
      readonly ms: number;
    }
  | { readonly missing: string; readonly ms: number };

interface Exchange {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Each call has its own connection, so that no answer belongs to an earlier one. Never rejects. */
async function exchange(
  { method, url, headers, body }: Exchange,
  deadlineMs: number,
): Promise<Heard> {
  const start = performance.now();
  const elapsed = () => Math.round(performance.now() - start);
  const make = url.protocol === "https:" ? httpsRequest : httpRequest;
  const signal = AbortSignal.timeout(deadlineMs);
  const request = make(url, { method, headers, agent: false, signal });
  // Errors reach `once` before the answer, and the body's reader after its begin.
  request.on("error", () => {});
  request.end(body);
  let stage = "no answer";
  try {
    const [response] = (await once(request, "response")) as [IncomingMessage];
    stage = "answer cut off";
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > ANSWER_BYTES_MAX) {
        return { missing: `an answer of more than ${ANSWER_BYTES_MAX} bytes`, ms: elapsed() };
      }
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString("utf8");
    const contentType = response.headers["content-type"] ?? "";
    const status = response.statusCode ?? 0;
    return { status, contentType, body: text, json: parseJson(text), ms: elapsed() };
  } catch (fault) {
    const { message, code = message } = fault as NodeJS.ErrnoException;
    const missing = signal.aborted ? `no answer within ${deadlineMs} ms` : `${stage}: ${code}`;
    return { missing, ms: elapsed() };
  } finally {
    request.destroy();
  }
}

function signedHeaders(
  { key, secret }: WalletAccess,
  { method, url, body }: Omit<Exchange, "headers">,
  spoiling: Spoiling,
): Record<string, string> {
  if (spoiling.unsigned === true) {
    return {};
  }
  const parts = {
    timestamp: String(Math.floor(Date.now() / 1000) + (spoiling.clockSkew ?? 0)),
    nonce: spoiling.nonce ?? randomBytes(16).toString("hex"),
    method,
    path: spoiling.signedPath ?? `${url.pathname}${url.search}`,
    bodyHash: createHash("sha256")
      .update(spoiling.signedBody ?? body)
      .digest("hex"),
  };
  return signatureHeaders(
    spoiling.key ?? key,
    parts,
    (text) => spoiling.signature ?? createHmac("sha256", secret).update(text).digest("hex"),
  );
}

/** Calls the wallet at `access.url`; no call rejects, each ends within `deadlineMs`. */
export function walletProbe(access: WalletAccess, deadlineMs: number) {
  function send(
    method: "GET" | "POST",
    path: string,
    body: string,
    spoiling: Spoiling,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Heard> {
    const url = new URL(`${access.url}${path}`);
    const headers = {
      accept: "application/json",
      ...signedHeaders(access, { method, url, body }, spoiling),
      ...more,
    };
    return exchange({ method, url, headers, body }, deadlineMs);
  }

  return {
    pay(call: PayoutCall, spoiling: Spoiling = {}) {
      const body = JSON.stringify(call);
      return send("POST", "/payouts", body, spoiling, {
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
        "idempotency-key": call.trans_sn,
      });
    },
    ask: (transSn: string, spoiling: Spoiling = {}) =>
      send("GET", `/payouts/${encodeURIComponent(transSn)}`, "", spoiling),
    statement(from: Date, to: Date, cursor: string | null) {
      const query = new URLSearchParams({ from: from.toISOString(), to: to.toISOString() });
      if (cursor !== null) {
        query.set("cursor", cursor);
      }
      return send("GET", `/payouts?${query.toString()}`, "", {});
    },
  };
}
