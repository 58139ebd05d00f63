/** Answers of test wallets that keep the rules or break them in one way. */
import { createHash, createHmac, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { WalletRule } from "./findings.ts";

export const KEY = "wk_planted";
export const SECRET = "secret-for-planted-faults";
export const REFUSED_PLAYER = "frozen";

/** The faults of planted wallets, each with all rules that it breaks. */
export const FAULTS = [
  ["signature not checked", "signature", "timestamp", "nonce"],
  ["signature without the body", "signature"],
  ["signature without the path", "signature"],
  ["unsigned let in", "signature"],
  ["questions not checked", "signature", "nonce"],
  ["pays before it checks", "signature", "timestamp", "idempotent"],
  ["old timestamps taken", "timestamp"],
  ["slow clocks refused", "timestamp"],
  ["nonces forgotten", "nonce"],
  ["nonces of questions forgotten", "nonce"],
  ["unknown is processing", "never_paid", "refusal"],
  ["no answer but errors", "answer"],
  ["answers too late", "in_time"],
  ["redirects", "redirect"],
  ["word as text", "json"],
  ["word as a page", "json"],
  ["status of its own", "status"],
  ["trans_sn of its own", "trans_sn"],
  ["amount as number", "amount"],
  ["amount cut short", "amount"],
  ["pays every time", "idempotent", "parallel", "changed_amount"],
  ["pays again, same word", "idempotent", "parallel", "changed_amount"],
  ["forgets what it paid", "remembered"],
  ["takes back what it paid", "remembered"],
  ["race", "parallel"],
  ["pays another amount", "changed_amount"],
  ["remembers refusals", "refusal"],
  ["statement incomplete", "statement"],
  ["statement without span", "statement"],
  ["statement up to its end", "statement"],
  ["statement never ends", "statement"],
  ["statement of other amounts", "statement"],
] as const satisfies readonly (readonly [string, ...WalletRule[]])[];

/** A fault above, another way that breaks no rule, or one that cannot be detected. */
export type Fault =
  | (typeof FAULTS)[number][0]
  | "none"
  | "answers everything too late"
  | "no statement"
  | "no wallet_ref"
  | "no wallet_ref, no statement"
  | "processes first"
  | "processes for ever"
  | "refuses everybody";

interface Order {
  readonly trans_sn: string;
  readonly player_id: string;
  readonly amount: string;
}

export interface Credit extends Order {
  readonly paid_at: string;
  readonly wallet_ref: string;
}

export interface State {
  readonly fault: Fault;
  readonly nonces: Set<string>;
  readonly credits: Credit[];
  readonly refused: Set<string>;
  readonly processing: Map<string, { order: Order; asked: number }>;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly type?: string;
  readonly location?: string;
}

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export function problem(status: number, code: string): Reply {
  return { status, body: { code } };
}

function signatureFault({ fault, nonces }: State, received: Received): string | null {
  const [key, time, nonce, signature] = ["key", "timestamp", "nonce", "signature"].map((name) =>
    String(received.headers[`x-${name}`] ?? ""),
  );
  const isQuestion = received.method === "GET";
  if (
    fault === "signature not checked" ||
    (fault === "questions not checked" && isQuestion) ||
    (fault === "unsigned let in" && signature === "")
  ) {
    return null;
  }
  const off = Math.abs(Date.now() / 1000 - Number(time));
  const tolerance =
    { "old timestamps taken": 1e9, "slow clocks refused": 30 }[String(fault)] ?? 300;
  if (off > tolerance) {
    return "timestamp_out_of_range";
  }
  const sign = (path: string, body: string) => {
    const hash = createHash("sha256").update(body).digest("hex");
    return createHmac("sha256", SECRET)
      .update(`${time}.${nonce}.${received.method}.${path}.${hash}`)
      .digest("hex");
  };
  const accepted = [sign(received.path, received.body)];
  // The check tries only these two; other signed content cannot be detected.
  if (fault === "signature without the body") {
    accepted.push(sign(received.path, received.body.replace('"0.01"', '"0.02"')));
  }
  if (fault === "signature without the path") {
    accepted.push(sign("/elsewhere", received.body));
  }
  if (key !== KEY || !accepted.includes(signature ?? "")) {
    return "signature_invalid";
  }
  const forgets =
    fault === "nonces forgotten" || (fault === "nonces of questions forgotten" && isQuestion);
  if (!forgets && nonces.has(nonce ?? "")) {
    return "nonce_seen";
  }
  nonces.add(nonce ?? "");
  return null;
}

function credit({ credits, fault }: State, order: Order): Credit {
  const wallet_ref = `P${randomBytes(6).toString("hex")}`;
  const { trans_sn, player_id, amount } = order;
  const made = { trans_sn, player_id, amount, paid_at: new Date().toISOString(), wallet_ref };
  credits.push(made);
  if (fault === "pays again, same word") {
    return credits.find((credit) => credit.trans_sn === trans_sn) ?? made;
  }
  return made;
}

function wordOf({ fault }: State, made: Credit): Reply {
  const { trans_sn, amount, wallet_ref } = made;
  const word = {
    status: fault === "status of its own" ? "success" : "paid",
    trans_sn: fault === "trans_sn of its own" ? `${trans_sn}x` : trans_sn,
    amount:
      fault === "amount as number"
        ? Number(amount)
        : fault === "amount cut short"
          ? String(Number(amount))
          : amount,
    ...(fault.startsWith("no wallet_ref") ? {} : { wallet_ref }),
  };
  if (fault === "word as text") {
    return { status: 200, body: word, type: "text/plain" };
  }
  return fault === "word as a page"
    ? { status: 200, body: "<html>please sign in</html>", type: "text/html" }
    : { status: 200, body: word };
}

/** The answer that some faults give to every payout; null for the others. */
function faultyReply({ fault }: State, { trans_sn, amount }: Order): Reply | null {
  if (fault === "no answer but errors") {
    return problem(500, "internal");
  }
  if (fault === "redirects") {
    return { status: 307, body: "", location: "/elsewhere" };
  }
  return fault === "refuses everybody"
    ? { status: 200, body: { status: "refused", trans_sn, amount, reason: "no such player" } }
    : null;
}

function isProcessing(state: State, order: Order): boolean {
  const waiting = state.processing.get(order.trans_sn) ?? { order, asked: 0 };
  state.processing.set(order.trans_sn, { order, asked: waiting.asked + 1 });
  return state.fault === "processes for ever" || waiting.asked < 2;
}

async function pay(state: State, order: Order): Promise<Reply> {
  const { fault, credits, refused } = state;
  const { trans_sn, player_id, amount } = order;
  if (fault === "answers too late") {
    await sleep(1_300);
  }
  const faulty = faultyReply(state, order);
  if (faulty !== null) {
    return faulty;
  }
  const before = credits.find((credit) => credit.trans_sn === trans_sn);
  if (fault === "race") {
    await sleep(20);
  }
  const repeats = fault === "pays every time" || fault === "pays again, same word";
  if (before !== undefined && !repeats) {
    const isOther = before.amount !== amount;
    if (isOther && fault !== "pays another amount") {
      return problem(409, "trans_sn_reused");
    }
    return isOther ? wordOf(state, credit(state, order)) : wordOf(state, before);
  }
  if (player_id === REFUSED_PLAYER || (fault === "remembers refusals" && refused.has(trans_sn))) {
    refused.add(trans_sn);
    return { status: 200, body: { status: "refused", trans_sn, amount, reason: "account frozen" } };
  }
  if (fault.startsWith("processes") && isProcessing(state, order)) {
    return { status: 200, body: { status: "processing", trans_sn, amount } };
  }
  return wordOf(state, credit(state, order));
}

function find(state: State, trans_sn: string): Reply {
  const { fault, credits, processing } = state;
  const made = credits.find((credit) => credit.trans_sn === trans_sn);
  const waiting = processing.get(trans_sn);
  if (made === undefined && waiting !== undefined) {
    const { amount } = waiting.order;
    return isProcessing(state, waiting.order)
      ? { status: 200, body: { status: "processing", trans_sn, amount } }
      : wordOf(state, credit(state, waiting.order));
  }
  if (made === undefined) {
    return fault === "unknown is processing"
      ? { status: 200, body: { status: "processing", trans_sn, amount: "0.01" } }
      : problem(404, "payout_not_found");
  }
  if (fault === "forgets what it paid") {
    return problem(404, "payout_not_found");
  }
  return fault === "takes back what it paid"
    ? { status: 200, body: { status: "refused", trans_sn, amount: made.amount, reason: "undone" } }
    : wordOf(state, made);
}

function statement({ fault, credits }: State, query: URLSearchParams): Reply {
  if (fault === "no statement" || fault === "no wallet_ref, no statement") {
    return problem(404, "not_found");
  }
  const [from, to] = ["from", "to"].map((name) => Date.parse(query.get(name) ?? ""));
  const inSpan = credits.filter(({ paid_at }) => {
    const at = Date.parse(paid_at);
    const isBefore = at < Number(to) || (fault === "statement up to its end" && at === Number(to));
    return fault === "statement without span" || (at >= Number(from) && isBefore);
  });
  const at = Number(query.get("cursor") ?? "0");
  const shown = fault === "statement incomplete" ? inSpan.slice(1) : inSpan;
  const payouts = shown.slice(at, at + 2).map((one) => ({
    ...one,
    amount: fault === "statement of other amounts" ? "9.99" : one.amount,
  }));
  const isLast = at + 2 >= shown.length && fault !== "statement never ends";
  return { status: 200, body: { payouts, next: isLast ? null : String(at + 2) } };
}

export async function answerPlanted(state: State, received: Received): Promise<Reply> {
  if (state.fault === "answers everything too late") {
    await sleep(1_300);
  }
  const url = new URL(received.path, "http://wallet.invalid");
  const asked = /\/payouts\/([\w-]+)$/.exec(url.pathname)?.[1];
  // The test that calls it sends payouts only.
  const order = received.body === "" ? null : (JSON.parse(received.body) as Order);
  const denied = signatureFault(state, received);
  if (denied !== null) {
    if (state.fault === "pays before it checks" && order !== null) {
      credit(state, order);
    }
    return problem(401, denied);
  }
  if (order !== null) {
    return await pay(state, order);
  }
  return asked === undefined ? statement(state, url.searchParams) : find(state, asked);
}
