/** The demo wallet's answers to the calls of platform-api "Call out". */
import { createHash } from "node:crypto";
import { parseRfc3339 } from "@red/contract/datetime";
import { amount, externalId, id } from "@red/contract/fields";
import { parseCents } from "@red/contract/money";
import type { PayoutCall, PayoutWord } from "@red/contract/payout";
import type { Ledger } from "./ledger.ts";
import type { Book, Line, PaidLine, ProcessingLine } from "./wallet-book.ts";
import { outcomeOfCall } from "./wallet-outcomes.ts";

const STATEMENT_PAGE = 500;

export interface Reply {
  readonly status: number;
  readonly body: object;
  /** How long the caller has to wait for the answer. */
  readonly afterMs?: number;
}

/** A refusal of the call itself, RFC 9457. */
export function problem(status: number, code: string, detail: string): Reply {
  return { status, body: { type: "about:blank", title: code, status, code, detail } };
}

const text = externalId();
const money = amount("not_an_amount", 1);
const number = id();

/** The body of a payout call, or the name of the first missing or wrong field. */
function readPayoutCall(body: unknown): PayoutCall | string {
  if (typeof body !== "object" || body === null) {
    return "body";
  }
  const fields = new Map<string, unknown>(Object.entries(body));
  const wrong =
    ["trans_sn", "player_id", "user_name", "red_code"].find(
      (name) => !text.safeParse(fields.get(name)).success,
    ) ??
    ["turnover", "rounds_id"].find((name) => !number.safeParse(fields.get(name)).success) ??
    (typeof fields.get("amount") === "string" && money.safeParse(fields.get("amount")).success
      ? undefined
      : "amount") ??
    (parseRfc3339(String(fields.get("created_at"))) === null ? "created_at" : undefined);
  // Every field of the interface was just checked.
  return wrong ?? (body as PayoutCall);
}

function sameMoney(one: string, other: string): boolean {
  return parseCents(one) === parseCents(other);
}

function paidWord(line: PaidLine): PayoutWord {
  const { trans_sn, amount: paid, wallet_ref } = line;
  return { status: "paid", trans_sn, amount: paid, wallet_ref };
}

function processingWord(line: ProcessingLine): PayoutWord {
  return { status: "processing", trans_sn: line.call.trans_sn, amount: line.call.amount };
}

/** The wallet's own number of a credit; the same at every query. */
function walletRef(transSn: string): string {
  return `W${createHash("sha256").update(transSn).digest("hex").slice(0, 14).toUpperCase()}`;
}

function paidLine(call: PayoutCall, now: Date): PaidLine {
  return {
    kind: "paid",
    trans_sn: call.trans_sn,
    player_id: call.player_id,
    user_name: call.user_name,
    amount: call.amount,
    paid_at: now.toISOString(),
    wallet_ref: walletRef(call.trans_sn),
  };
}

export interface Wallet {
  readonly book: Book;
  readonly ledger: Ledger;
  /** Called for every payout that is settled later. */
  onProcessing(line: ProcessingLine): void;
}

/** A line is in the book at once, and on disk when this resolves. */
function write({ book, ledger }: Wallet, line: Line): Promise<void> {
  book.apply(line);
  return ledger.append(line);
}

async function refuse(
  wallet: Wallet,
  { trans_sn, amount: asked }: PayoutCall,
  reason: string,
): Promise<PayoutWord> {
  await write(wallet, { kind: "refused", trans_sn, reason, at: new Date().toISOString() });
  return { status: "refused", trans_sn, amount: asked, reason };
}

/** Settles a processing payout that is due; returns its result. */
export async function settle(wallet: Wallet, line: ProcessingLine): Promise<PayoutWord> {
  if (line.settle === "refused") {
    return refuse(wallet, line.call, line.reason ?? "refused");
  }
  const paid = paidLine(line.call, new Date());
  await write(wallet, paid);
  return paidWord(paid);
}

async function wordOnProcessing(wallet: Wallet, line: ProcessingLine): Promise<PayoutWord> {
  return Date.parse(line.due_at) <= Date.now() ? settle(wallet, line) : processingWord(line);
}

async function judge(wallet: Wallet, call: PayoutCall): Promise<Reply> {
  const outcome = outcomeOfCall(call, wallet.book.refusalsOf(call.trans_sn));
  switch (outcome.kind) {
    case "pay":
    case "pay_then_500": {
      const line = paidLine(call, new Date());
      await write(wallet, line);
      return outcome.kind === "pay"
        ? { status: 200, body: paidWord(line), afterMs: outcome.answerAfterMs }
        : problem(500, "internal", "an error after the credit was booked");
    }
    case "refuse":
      return { status: 200, body: await refuse(wallet, call, outcome.reason) };
    case "processing": {
      const { dueAfterMs, ...how } = outcome;
      const due_at = new Date(Date.now() + dueAfterMs).toISOString();
      const line: ProcessingLine = { ...how, call, due_at };
      await write(wallet, line);
      wallet.onProcessing(line);
      return { status: 200, body: processingWord(line) };
    }
    default:
      return outcome satisfies never;
  }
}

export async function pay(
  wallet: Wallet,
  body: unknown,
  idempotencyKey: string | undefined,
): Promise<Reply> {
  const { book, ledger } = wallet;
  const call = readPayoutCall(body);
  if (typeof call === "string") {
    return problem(400, "bad_input", `${call} is missing or wrong`);
  }
  if (idempotencyKey !== call.trans_sn) {
    return problem(400, "idempotency_key_wrong", "Idempotency-Key must be the trans_sn");
  }
  const waiting = book.processing.get(call.trans_sn);
  const paid = book.paid.get(call.trans_sn);
  const known = paid ?? waiting?.call;
  if (
    known !== undefined &&
    (known.player_id !== call.player_id || !sameMoney(known.amount, call.amount))
  ) {
    return problem(409, "trans_sn_reused", "this trans_sn belongs to another payout");
  }
  if (paid !== undefined) {
    await ledger.settled();
    return { status: 200, body: paidWord(paid) };
  }
  return waiting === undefined
    ? judge(wallet, call)
    : { status: 200, body: await wordOnProcessing(wallet, waiting) };
}

export async function find(wallet: Wallet, transSn: string): Promise<Reply> {
  const waiting = wallet.book.processing.get(transSn);
  if (waiting !== undefined) {
    return { status: 200, body: await wordOnProcessing(wallet, waiting) };
  }
  await wallet.ledger.settled();
  const paid = wallet.book.paid.get(transSn);
  return paid === undefined
    ? problem(404, "payout_not_found", "this wallet has never paid it")
    : { status: 200, body: paidWord(paid) };
}

/** `GET /payouts?from&to&cursor`: credits with `from` ≤ paid_at < `to`, in the order of booking. */
export async function statement({ book, ledger }: Wallet, query: URLSearchParams): Promise<Reply> {
  const from = parseRfc3339(query.get("from") ?? "");
  const to = parseRfc3339(query.get("to") ?? "");
  const cursor = query.get("cursor") ?? "0";
  if (from === null || to === null || !/^\d{1,15}$/.test(cursor)) {
    return problem(400, "bad_input", "from and to must be RFC 3339 instants");
  }
  await ledger.settled();
  const payouts: object[] = [];
  let at = Number(cursor);
  for (; at < book.statement.length && payouts.length < STATEMENT_PAGE; at += 1) {
    const line = book.statement[at];
    const paidAt = Date.parse(line?.paid_at ?? "");
    if (line !== undefined && paidAt >= from.getTime() && paidAt < to.getTime()) {
      const { trans_sn, amount: paid, player_id, paid_at, wallet_ref } = line;
      payouts.push({ trans_sn, amount: paid, player_id, paid_at, wallet_ref });
    }
  }
  return { status: 200, body: { payouts, next: at < book.statement.length ? String(at) : null } };
}
