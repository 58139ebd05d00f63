/** How the test wallet books and answers, rightly or as its control says. */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Attempt, FaultsBook, Pending } from "./faults-book.ts";
import { MODES, WELL } from "./faults-modes.ts";
import type { Control, ModeName } from "./faults-modes.ts";
import { readOrder } from "./faults-rules.ts";
import type { Order } from "./faults-rules.ts";
import { answerJson, showWord } from "./faults-show.ts";
import type { Word } from "./faults-show.ts";

/** Ways of answering that say something of the payout; of one never paid a query says 404 instead. */
const WORDS: ReadonlySet<string> = new Set([
  "plain",
  "refused",
  "processing",
  "wrong_trans_sn",
  "wrong_amount",
]);

type Tell = (transSn: string, word: object) => Promise<void>;

/** The wallet over its book; `tell` sends a later word to the system. */
export function createFaultyAnswers(book: FaultsBook, tell: Tell) {
  let control = WELL;
  let seen = 0;
  let left: number | null = null;
  const deniedUntil = new Map<string, number>();

  function modeFor(call: "pay" | "query"): ModeName {
    if (control.mode === "pay" || (control.on !== "both" && control.on !== call) || left === 0) {
      return "pay";
    }
    seen += 1;
    if (seen % control.every !== 0) {
      return "pay";
    }
    left = left === null ? null : left - 1;
    return control.mode;
  }

  const violation = (rule: string, detail: string) =>
    book.write({ violation: { at: new Date().toISOString(), rule, detail } });

  function note(
    call: Attempt["call"],
    trans_sn: string | null,
    mode: string,
    credit: Attempt["credit"],
  ): void {
    void book.write({ attempt: { at: new Date().toISOString(), call, trans_sn, mode, credit } });
  }

  async function credit(order: Order): Promise<void> {
    const { trans_sn, player_id, user_name, amount, turnover, red_code, rounds_id } = order;
    const paid_at = new Date().toISOString();
    const wallet_ref = `F${book.credits.size + 1}`;
    await book.write({
      credit: {
        trans_sn,
        player_id,
        user_name,
        amount,
        turnover,
        red_code,
        rounds_id,
        paid_at,
        wallet_ref,
      },
    });
  }

  /** The true word on a number; null when it was never paid. */
  function truth(transSn: string): Word | null {
    const paid = book.credits.get(transSn);
    if (paid !== undefined) {
      const { trans_sn, amount, wallet_ref } = paid;
      return { status: "paid", trans_sn, amount, wallet_ref };
    }
    const waiting = book.pending.get(transSn);
    return waiting === undefined
      ? null
      : { status: "processing", trans_sn: transSn, amount: waiting.order.amount };
  }

  async function settle(pending: Pending): Promise<Word> {
    const { trans_sn, order } = pending;
    if (pending.settle === "refused") {
      await book.write({ settled: trans_sn });
      return { status: "refused", trans_sn, amount: order.amount, reason: pending.reason };
    }
    void book.write({ settled: trans_sn });
    await credit(order);
    return truth(trans_sn) ?? { status: "paid", trans_sn, amount: order.amount };
  }

  /** Settles a payout whose time has come; null when there is none. */
  async function settleWhenDue(transSn: string): Promise<Word | null> {
    const waiting = book.pending.get(transSn);
    const due = waiting !== undefined && Date.parse(waiting.due_at) <= Date.now();
    return due ? settle(waiting) : null;
  }

  function tellWhenDue(pending: Pending): void {
    if (pending.by === "query") {
      return;
    }
    const wait = Math.max(0, Date.parse(pending.due_at) - Date.now());
    setTimeout(() => {
      if (book.pending.get(pending.trans_sn) !== pending) {
        return;
      }
      void settle(pending).then(async ({ trans_sn, ...word }) => {
        for (let sent = 0; sent < pending.callbacks; sent += 1) {
          await tell(trans_sn, word);
        }
      });
    }, wait);
  }

  async function startProcessing(order: Order, how: Control): Promise<void> {
    const due_at = new Date(Date.now() + how.seconds * 1000).toISOString();
    const { settle: becomes, reason, by, callbacks } = how;
    const pending: Pending = {
      trans_sn: order.trans_sn,
      order,
      settle: becomes,
      reason,
      by,
      due_at,
      callbacks,
    };
    await book.write({ pending });
    tellWhenDue(pending);
  }

  async function pay(order: Order, response: ServerResponse): Promise<void> {
    const { trans_sn, amount } = order;
    const earlier = book.credits.get(trans_sn) ?? book.pending.get(trans_sn)?.order;
    if (
      earlier !== undefined &&
      (earlier.amount !== amount || earlier.player_id !== order.player_id)
    ) {
      await violation("trans_sn_reused", `${trans_sn}: ${earlier.amount} and ${amount}`);
      return answerJson(response, 409, JSON.stringify({ code: "trans_sn_reused" }));
    }
    const how = control;
    const mode = modeFor("pay");
    const settled = await settleWhenDue(trans_sn);
    // Nothing may be awaited from here to the credit: the same call may come twice at once.
    const known = settled ?? truth(trans_sn);
    const { pays, show } = MODES[mode];
    note(
      "pay",
      trans_sn,
      mode,
      known?.status === "paid" ? "known" : pays && known === null ? "new" : "none",
    );
    if (known === null && pays) {
      await credit(order);
      if (mode === "not_found_for") {
        deniedUntil.set(trans_sn, Date.now() + how.seconds * 1000);
      }
    } else if (known === null && mode === "processing") {
      await startProcessing(order, how);
    }
    await book.flush();
    const { reason } = how;
    // What was paid stays paid: a refusal is only ever said of what was not.
    const word: Word = known ?? truth(trans_sn) ?? { status: "refused", trans_sn, amount, reason };
    return showWord(response, show, word, how.seconds);
  }

  async function query(transSn: string, response: ServerResponse): Promise<void> {
    const how = control;
    const mode = modeFor("query");
    const word = (await settleWhenDue(transSn)) ?? truth(transSn);
    note("query", transSn, mode, word?.status === "paid" ? "known" : "none");
    const denied = (deniedUntil.get(transSn) ?? 0) > Date.now();
    await book.flush();
    const { show } = MODES[mode];
    if ((word === null || denied) && WORDS.has(show)) {
      return answerJson(response, 404, JSON.stringify({ code: "payout_not_found" }));
    }
    const shown = word ?? { status: "refused", trans_sn: transSn, amount: "0.01" };
    return showWord(response, show, shown, how.seconds);
  }

  function statement(path: string, response: ServerResponse): void {
    const { searchParams } = new URL(path, "http://wallet.invalid");
    note("statement", null, "pay", "none");
    const from = Date.parse(searchParams.get("from") ?? "");
    const to = Date.parse(searchParams.get("to") ?? "");
    const start = Number(searchParams.get("cursor") ?? "0");
    const all = [...book.credits.values()];
    const payouts = all
      .slice(start, start + 1000)
      .filter((paid) => Date.parse(paid.paid_at) >= from && Date.parse(paid.paid_at) < to)
      .map(({ trans_sn, amount, player_id, paid_at, wallet_ref }) => ({
        trans_sn,
        amount,
        player_id,
        paid_at,
        wallet_ref,
      }));
    const next = start + 1000 < all.length ? String(start + 1000) : null;
    answerJson(response, 200, JSON.stringify({ payouts, next }));
  }

  return {
    violation,
    control: () => ({ ...control, seen, left }),
    setControl(next: Control): void {
      control = next;
      seen = 0;
      left = next.times;
    },
    /** Takes up, after a start, what was being processed. */
    resume(): void {
      for (const pending of book.pending.values()) {
        tellWhenDue(pending);
      }
    },
    /** Answers a well-signed call. */
    async answer(
      method: string,
      path: string,
      headers: IncomingHttpHeaders,
      body: Buffer,
      response: ServerResponse,
    ): Promise<void> {
      const asked = /^\/payouts\/([^/?]+)$/.exec(path)?.[1];
      if (method === "GET" && asked !== undefined) {
        return query(decodeURIComponent(asked), response);
      }
      if (method === "GET" && path.startsWith("/payouts?")) {
        return statement(path, response);
      }
      if (method !== "POST" || path !== "/payouts") {
        await violation("unknown_call", `${method} ${path}`);
        return answerJson(response, 404, JSON.stringify({ code: "not_found" }));
      }
      const order = readOrder(headers, body);
      if ("rule" in order) {
        await violation(order.rule, order.detail);
        return answerJson(response, order.status, JSON.stringify({ code: order.rule }));
      }
      return pay(order, response);
    },
  };
}
