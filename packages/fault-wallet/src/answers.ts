/** The test wallet's answers to signed calls, right or as its control says. */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Attempt } from "./ledger.ts";
import { credit, settleWhenDue, startProcessing, truth } from "./credit.ts";
import type { Desk } from "./credit.ts";
import { MODES } from "./modes.ts";
import { readOrder } from "./rules.ts";
import type { Order } from "./rules.ts";
import { answerJson, showWord } from "./write-answer.ts";
import type { Word } from "./write-answer.ts";
import type { FaultSwitch } from "./choose-fault.ts";

/** Answers that hold a result; a query about a payout never paid gets 404 instead. */
const WORDS: ReadonlySet<string> = new Set([
  "plain",
  "refused",
  "processing",
  "wrong_trans_sn",
  "wrong_amount",
]);
const STATEMENT_PAGE = 1_000;

export interface Counter extends Desk {
  readonly faults: FaultSwitch;
  /** Until when the wallet denies a payout, by `trans_sn`, in milliseconds. */
  readonly deniedUntil: Map<string, number>;
}

export function noteViolation({ book }: Desk, rule: string, detail: string): Promise<void> {
  return book.write({ violation: { at: new Date().toISOString(), rule, detail } });
}

function noteAttempt({ book }: Desk, attempt: Omit<Attempt, "at">): void {
  void book.write({ attempt: { at: new Date().toISOString(), ...attempt } });
}

async function pay(counter: Counter, order: Order, response: ServerResponse): Promise<void> {
  const { book, clock } = counter;
  const { trans_sn, amount } = order;
  const earlier = book.credits.get(trans_sn) ?? book.pending.get(trans_sn)?.order;
  if (
    earlier !== undefined &&
    (earlier.amount !== amount || earlier.player_id !== order.player_id)
  ) {
    await noteViolation(counter, "trans_sn_reused", `${trans_sn}: ${earlier.amount} and ${amount}`);
    return answerJson(response, 409, { code: "trans_sn_reused" });
  }
  const { control, mode } = counter.faults.next("pay", trans_sn, order.player_id);
  if (mode === "pay_later") {
    await clock.reach(clock.now() + control.seconds * 1000);
  }
  const settled = await settleWhenDue(counter, trans_sn);
  // No await from here to the credit: the same call may arrive twice at once.
  const known = settled ?? truth(counter, trans_sn);
  const { pays, show } = MODES[mode];
  const isNew = pays && known === null;
  const creditState = known?.status === "paid" ? "known" : "none";
  noteAttempt(counter, { call: "pay", trans_sn, mode, credit: isNew ? "new" : creditState });
  if (isNew) {
    await credit(counter, order);
    if (mode === "not_found_for") {
      counter.deniedUntil.set(trans_sn, clock.now() + control.seconds * 1000);
    }
  } else if (known === null && mode === "processing") {
    await startProcessing(counter, order, control);
  }
  await book.flush();
  // What was paid stays paid: only an unpaid payout can be refused.
  const refusal: Word = { status: "refused", trans_sn, amount, reason: control.reason };
  return showWord(response, show, known ?? truth(counter, trans_sn) ?? refusal, control.seconds);
}

async function query(counter: Counter, transSn: string, response: ServerResponse): Promise<void> {
  const { control, mode } = counter.faults.next("query", transSn);
  const word = (await settleWhenDue(counter, transSn)) ?? truth(counter, transSn);
  const creditState = word?.status === "paid" ? "known" : "none";
  noteAttempt(counter, { call: "query", trans_sn: transSn, mode, credit: creditState });
  const denied = (counter.deniedUntil.get(transSn) ?? 0) > counter.clock.now();
  await counter.book.flush();
  const { show } = MODES[mode];
  if ((word === null || denied) && WORDS.has(show)) {
    return answerJson(response, 404, { code: "payout_not_found" });
  }
  const shown = word ?? { status: "refused", trans_sn: transSn, amount: "0.01" };
  return showWord(response, show, shown, control.seconds);
}

function statement(counter: Counter, path: string, response: ServerResponse): void {
  const { searchParams } = new URL(path, "http://wallet.invalid");
  noteAttempt(counter, { call: "statement", trans_sn: null, mode: "pay", credit: "none" });
  const from = Date.parse(searchParams.get("from") ?? "");
  const to = Date.parse(searchParams.get("to") ?? "");
  const start = Number(searchParams.get("cursor") ?? "0");
  const all = counter.book.booked.filter((credit) => !counter.hasForgotten(credit));
  const payouts = all
    .slice(start, start + STATEMENT_PAGE)
    .filter((paid) => Date.parse(paid.paid_at) >= from && Date.parse(paid.paid_at) < to)
    .map(({ trans_sn, amount, player_id, paid_at, wallet_ref }) => ({
      trans_sn,
      amount,
      player_id,
      paid_at,
      wallet_ref,
    }));
  const next = start + STATEMENT_PAGE < all.length ? String(start + STATEMENT_PAGE) : null;
  answerJson(response, 200, { payouts, next });
}

export async function answerWallet(
  counter: Counter,
  request: { readonly method: string; readonly path: string; readonly body: Buffer },
  headers: IncomingHttpHeaders,
  response: ServerResponse,
): Promise<void> {
  const { method, path, body } = request;
  const transSn = /^\/payouts\/([^/?]+)$/.exec(path)?.[1];
  if (method === "GET" && transSn !== undefined) {
    return query(counter, decodeURIComponent(transSn), response);
  }
  if (method === "GET" && path.startsWith("/payouts?")) {
    return statement(counter, path, response);
  }
  if (method !== "POST" || path !== "/payouts") {
    await noteViolation(counter, "unknown_call", `${method} ${path}`);
    return answerJson(response, 404, { code: "not_found" });
  }
  const order = readOrder(headers, body);
  if ("rule" in order) {
    await noteViolation(counter, order.rule, order.detail);
    return answerJson(response, order.status, { code: order.rule });
  }
  return pay(counter, order, response);
}
