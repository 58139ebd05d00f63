/** The test wallet's answers to signed calls, right or as its control says. */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Attempt } from "./ledger.ts";
import { credit, settleWhenDue, startProcessing, resultOf } from "./credit.ts";
import type { Wallet } from "./credit.ts";
import { MODES } from "./modes.ts";
import { readOrder } from "./rules.ts";
import type { Order } from "./rules.ts";
import { answerJson, writeAnswer } from "./write-answer.ts";
import type { Answer } from "./write-answer.ts";
import type { FaultChoice } from "./choose-fault.ts";

/** Ways that answer with a result. For them, a query about a payout that was never paid gets a 404. */
const RESULT_WAYS: ReadonlySet<string> = new Set([
  "plain",
  "refused",
  "processing",
  "wrong_trans_sn",
  "wrong_amount",
]);
const STATEMENT_PAGE = 1_000;

export interface FaultyWallet extends Wallet {
  readonly faults: FaultChoice;
  /** Until when the wallet denies a payout, by `trans_sn`, in milliseconds. */
  readonly deniedUntil: Map<string, number>;
}

export function noteViolation({ ledger }: Wallet, rule: string, detail: string): Promise<void> {
  return ledger.write({ violation: { at: new Date().toISOString(), rule, detail } });
}

function noteAttempt({ ledger }: Wallet, attempt: Omit<Attempt, "at">): void {
  void ledger.write({ attempt: { at: new Date().toISOString(), ...attempt } });
}

async function pay(wallet: FaultyWallet, order: Order, response: ServerResponse): Promise<void> {
  const { ledger, clock } = wallet;
  const { trans_sn, amount } = order;
  const earlier = ledger.credits.get(trans_sn) ?? ledger.pending.get(trans_sn)?.order;
  if (
    earlier !== undefined &&
    (earlier.amount !== amount || earlier.player_id !== order.player_id)
  ) {
    await noteViolation(wallet, "trans_sn_reused", `${trans_sn}: ${earlier.amount} and ${amount}`);
    return answerJson(response, 409, { code: "trans_sn_reused" });
  }
  const { control, mode } = wallet.faults.next("pay", trans_sn, order.player_id);
  if (mode === "pay_later") {
    await clock.reach(clock.now() + control.seconds * 1000);
  }
  const settled = await settleWhenDue(wallet, trans_sn);
  // No await from here to the credit: the same call may arrive twice at once.
  const known = settled ?? resultOf(wallet, trans_sn);
  const { pays, way } = MODES[mode];
  const isNew = pays && known === null;
  const creditState = known?.status === "paid" ? "known" : "none";
  noteAttempt(wallet, { call: "pay", trans_sn, mode, credit: isNew ? "new" : creditState });
  if (isNew) {
    await credit(wallet, order);
    if (mode === "not_found_for") {
      wallet.deniedUntil.set(trans_sn, clock.now() + control.seconds * 1000);
    }
  } else if (known === null && mode === "processing") {
    await startProcessing(wallet, order, control);
  }
  await ledger.flush();
  // What was paid stays paid: only an unpaid payout can be refused.
  const refusal: Answer = { status: "refused", trans_sn, amount, reason: control.reason };
  return writeAnswer(
    response,
    way,
    known ?? resultOf(wallet, trans_sn) ?? refusal,
    control.seconds,
  );
}

async function query(
  wallet: FaultyWallet,
  transSn: string,
  response: ServerResponse,
): Promise<void> {
  const { control, mode } = wallet.faults.next("query", transSn);
  const answer = (await settleWhenDue(wallet, transSn)) ?? resultOf(wallet, transSn);
  const creditState = answer?.status === "paid" ? "known" : "none";
  noteAttempt(wallet, { call: "query", trans_sn: transSn, mode, credit: creditState });
  const denied = (wallet.deniedUntil.get(transSn) ?? 0) > wallet.clock.now();
  await wallet.ledger.flush();
  const { way } = MODES[mode];
  if ((answer === null || denied) && RESULT_WAYS.has(way)) {
    return answerJson(response, 404, { code: "payout_not_found" });
  }
  const shown = answer ?? { status: "refused", trans_sn: transSn, amount: "0.01" };
  return writeAnswer(response, way, shown, control.seconds);
}

function statement(wallet: FaultyWallet, path: string, response: ServerResponse): void {
  const { searchParams } = new URL(path, "http://wallet.invalid");
  noteAttempt(wallet, { call: "statement", trans_sn: null, mode: "pay", credit: "none" });
  const from = Date.parse(searchParams.get("from") ?? "");
  const to = Date.parse(searchParams.get("to") ?? "");
  const start = Number(searchParams.get("cursor") ?? "0");
  const all = wallet.ledger.booked.filter((credit) => !wallet.hasForgotten(credit));
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
  wallet: FaultyWallet,
  request: { readonly method: string; readonly path: string; readonly body: Buffer },
  headers: IncomingHttpHeaders,
  response: ServerResponse,
): Promise<void> {
  const { method, path, body } = request;
  const transSn = /^\/payouts\/([^/?]+)$/.exec(path)?.[1];
  if (method === "GET" && transSn !== undefined) {
    return query(wallet, decodeURIComponent(transSn), response);
  }
  if (method === "GET" && path.startsWith("/payouts?")) {
    return statement(wallet, path, response);
  }
  if (method !== "POST" || path !== "/payouts") {
    await noteViolation(wallet, "unknown_call", `${method} ${path}`);
    return answerJson(response, 404, { code: "not_found" });
  }
  const order = readOrder(headers, body);
  if ("rule" in order) {
    await noteViolation(wallet, order.rule, order.detail);
    return answerJson(response, order.status, { code: order.rule });
  }
  return pay(wallet, order, response);
}
