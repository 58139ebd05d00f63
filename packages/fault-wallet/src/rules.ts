/** The test wallet's demands on its caller (platform-api), checked by its own code. */
import { createHash, createHmac, randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Credit } from "./ledger.ts";

export interface Broken {
  readonly status: number;
  readonly rule: string;
  readonly detail: string;
}

function digest(
  secret: string,
  time: string,
  nonce: string,
  method: string,
  path: string,
  body: Buffer,
) {
  const hash = createHash("sha256").update(body).digest("hex");
  return createHmac("sha256", secret)
    .update(`${time}.${nonce}.${method}.${path}.${hash}`)
    .digest("hex");
}

/** Checks signatures and remembers nonces while their timestamps are accepted. */
export function signatureRules(key: string, secret: string) {
  const nonces = new Map<string, number>();
  return function broken(
    method: string,
    path: string,
    headers: IncomingHttpHeaders,
    body: Buffer,
  ): Broken | null {
    const no = (rule: string, detail: string) => ({ status: 401, rule, detail });
    const [by, time, nonce, signature] = ["x-key", "x-timestamp", "x-nonce", "x-signature"].map(
      (name) => String(headers[name] ?? ""),
    );
    if (!by || !time || !nonce || !signature) {
      return no("signature_missing", `${method} ${path}`);
    }
    if (by !== key) {
      return no("key_unknown", by);
    }
    if (!/^\d+$/.test(time) || Math.abs(Date.now() / 1000 - Number(time)) > 300) {
      return no("timestamp_out_of_range", time);
    }
    if (signature !== digest(secret, time, nonce, method, path, body)) {
      return no("signature_invalid", `${method} ${path}`);
    }
    if (nonce.length < 16 || nonce.length > 64 || nonces.has(nonce)) {
      return no("nonce_seen", nonce);
    }
    // The map is in order of arrival: all entries after a fresh one are fresh.
    const now = Date.now() / 1000;
    for (const [old, arrived] of nonces) {
      if (arrived > now - 600) {
        break;
      }
      nonces.delete(old);
    }
    nonces.set(nonce, now);
    return null;
  };
}

/** Headers of a callback to the system, signed with its callback key. */
export function callbackHeaders(key: string, secret: string, path: string, body: string) {
  const time = String(Math.floor(Date.now() / 1000));
  const nonce = randomUUID();
  return {
    "content-type": "application/json",
    "x-key": key,
    "x-timestamp": time,
    "x-nonce": nonce,
    "x-signature": digest(secret, time, nonce, "POST", path, Buffer.from(body)),
  };
}

export type Order = Omit<Credit, "paid_at" | "wallet_ref">;

const TEXTS = ["trans_sn", "player_id", "user_name", "red_code", "created_at"] as const;
const NUMBERS = ["turnover", "rounds_id"] as const;

/** The order in a payout call, or the rule that it breaks. */
export function readOrder(headers: IncomingHttpHeaders, body: Buffer): Order | Broken {
  const no = (rule: string, detail: string) => ({ status: 400, rule, detail });
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString("utf8"));
  } catch {
    return no("body", "no JSON");
  }
  if (typeof parsed !== "object" || parsed === null) {
    return no("body", "no object");
  }
  // Safe for any object: every field is checked right below.
  const order = parsed as Record<string, unknown>;
  const wrong =
    TEXTS.find((name) => typeof order[name] !== "string" || order[name] === "") ??
    NUMBERS.find((name) => !Number.isSafeInteger(order[name]));
  if (wrong !== undefined) {
    return no("body", wrong);
  }
  const amount = String(order["amount"]);
  if (
    typeof order["amount"] !== "string" ||
    !/^\d+\.\d\d$/.test(amount) ||
    /^0+\.00$/.test(amount)
  ) {
    return no("amount", amount);
  }
  const unknown = Object.keys(order).find(
    (name) => name !== "amount" && ![...TEXTS, ...NUMBERS].some((known) => known === name),
  );
  if (unknown !== undefined) {
    return no("body", `unknown field ${unknown}`);
  }
  if (headers["idempotency-key"] !== order["trans_sn"]) {
    return no("idempotency_key", String(headers["idempotency-key"] ?? "missing"));
  }
  // Every field was just checked.
  return order as unknown as Order;
}
