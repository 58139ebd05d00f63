/** What the test wallet really does with a payout, whatever it answers. */
import type { Credit, Ledger, Pending } from "./ledger.ts";
import type { FaultsClock } from "./clock.ts";
import type { Control } from "./modes.ts";
import type { Order } from "./rules.ts";
import type { Answer } from "./write-answer.ts";

export interface Wallet {
  readonly ledger: Ledger;
  readonly clock: FaultsClock;
  readonly sendCallback: (transSn: string, result: object) => Promise<void>;
  readonly hasForgotten: (credit: Credit) => boolean;
}

/** Writes the credit to the ledger. Resolves when it is on disk. */
export async function credit({ ledger, clock }: Wallet, order: Order): Promise<void> {
  const { trans_sn, player_id, user_name, amount, turnover, red_code, rounds_id } = order;
  const paid_at = new Date(clock.now()).toISOString();
  const wallet_ref = `F${ledger.booked.length + 1}`;
  const what = { trans_sn, player_id, user_name, amount, turnover, red_code, rounds_id };
  await ledger.write({ credit: { ...what, paid_at, wallet_ref } });
}

/** The true result of a number; null if it was never paid. */
export function resultOf({ ledger, hasForgotten }: Wallet, transSn: string): Answer | null {
  const paid = ledger.credits.get(transSn);
  if (paid !== undefined && !hasForgotten(paid)) {
    const { trans_sn, amount, wallet_ref } = paid;
    return { status: "paid", trans_sn, amount, wallet_ref };
  }
  const waiting = ledger.pending.get(transSn);
  return waiting === undefined
    ? null
    : { status: "processing", trans_sn: transSn, amount: waiting.order.amount };
}

async function settle(wallet: Wallet, pending: Pending): Promise<Answer> {
  const { trans_sn, order } = pending;
  if (pending.settle === "refused") {
    await wallet.ledger.write({ settled: trans_sn });
    return { status: "refused", trans_sn, amount: order.amount, reason: pending.reason };
  }
  void wallet.ledger.write({ settled: trans_sn });
  await credit(wallet, order);
  return resultOf(wallet, trans_sn) ?? { status: "paid", trans_sn, amount: order.amount };
}

export async function settleWhenDue(wallet: Wallet, transSn: string): Promise<Answer | null> {
  const waiting = wallet.ledger.pending.get(transSn);
  const due = waiting !== undefined && Date.parse(waiting.due_at) <= wallet.clock.now();
  return due ? settle(wallet, waiting) : null;
}

/** Settles a payout at its time and sends its callbacks. A payout `by: "query"` is settled by the next query instead. */
export function scheduleSettlement(wallet: Wallet, pending: Pending): void {
  if (pending.by === "query") {
    return;
  }
  void wallet.clock.reach(Date.parse(pending.due_at)).then(() => {
    if (wallet.ledger.pending.get(pending.trans_sn) !== pending) {
      return;
    }
    void settle(wallet, pending).then(async ({ trans_sn, ...answer }) => {
      for (let sent = 0; sent < pending.callbacks; sent += 1) {
        await wallet.sendCallback(trans_sn, answer);
      }
    });
  });
}

/** Accepts an order and pays or refuses it later. */
export async function startProcessing(wallet: Wallet, order: Order, how: Control): Promise<void> {
  const { settle: becomes, reason, by, callbacks } = how;
  const pending: Pending = {
    trans_sn: order.trans_sn,
    order,
    settle: becomes,
    reason,
    by,
    due_at: new Date(wallet.clock.now() + how.seconds * 1000).toISOString(),
    callbacks,
  };
  await wallet.ledger.write({ pending });
  scheduleSettlement(wallet, pending);
}
