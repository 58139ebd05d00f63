/** The test wallet's real action on a payout, whatever it answers. */
import type { Credit, FaultsBook, Pending } from "./ledger.ts";
import type { FaultsClock } from "./clock.ts";
import type { Control } from "./modes.ts";
import type { Order } from "./rules.ts";
import type { Word } from "./write-answer.ts";

export type Tell = (transSn: string, word: object) => Promise<void>;

export interface Desk {
  readonly book: FaultsBook;
  readonly clock: FaultsClock;
  readonly tell: Tell;
  readonly hasForgotten: (credit: Credit) => boolean;
}

/** Books the credit; it is on disk when this resolves. */
export async function credit({ book, clock }: Desk, order: Order): Promise<void> {
  const { trans_sn, player_id, user_name, amount, turnover, red_code, rounds_id } = order;
  const paid_at = new Date(clock.now()).toISOString();
  const wallet_ref = `F${book.booked.length + 1}`;
  const what = { trans_sn, player_id, user_name, amount, turnover, red_code, rounds_id };
  await book.write({ credit: { ...what, paid_at, wallet_ref } });
}

/** The true result of a number; null when it was never paid. */
export function truth({ book, hasForgotten }: Desk, transSn: string): Word | null {
  const paid = book.credits.get(transSn);
  if (paid !== undefined && !hasForgotten(paid)) {
    const { trans_sn, amount, wallet_ref } = paid;
    return { status: "paid", trans_sn, amount, wallet_ref };
  }
  const waiting = book.pending.get(transSn);
  return waiting === undefined
    ? null
    : { status: "processing", trans_sn: transSn, amount: waiting.order.amount };
}

async function settle(desk: Desk, pending: Pending): Promise<Word> {
  const { trans_sn, order } = pending;
  if (pending.settle === "refused") {
    await desk.book.write({ settled: trans_sn });
    return { status: "refused", trans_sn, amount: order.amount, reason: pending.reason };
  }
  void desk.book.write({ settled: trans_sn });
  await credit(desk, order);
  return truth(desk, trans_sn) ?? { status: "paid", trans_sn, amount: order.amount };
}

export async function settleWhenDue(desk: Desk, transSn: string): Promise<Word | null> {
  const waiting = desk.book.pending.get(transSn);
  const due = waiting !== undefined && Date.parse(waiting.due_at) <= desk.clock.now();
  return due ? settle(desk, waiting) : null;
}

/** Settles a payout when it is due and sends its callbacks, unless it settles by a query. */
export function tellWhenDue(desk: Desk, pending: Pending): void {
  if (pending.by === "query") {
    return;
  }
  void desk.clock.reach(Date.parse(pending.due_at)).then(() => {
    if (desk.book.pending.get(pending.trans_sn) !== pending) {
      return;
    }
    void settle(desk, pending).then(async ({ trans_sn, ...word }) => {
      for (let sent = 0; sent < pending.callbacks; sent += 1) {
        await desk.tell(trans_sn, word);
      }
    });
  });
}

/** Accepts an order without paying it yet. */
export async function startProcessing(desk: Desk, order: Order, how: Control): Promise<void> {
  const { settle: becomes, reason, by, callbacks } = how;
  const pending: Pending = {
    trans_sn: order.trans_sn,
    order,
    settle: becomes,
    reason,
    by,
    due_at: new Date(desk.clock.now() + how.seconds * 1000).toISOString(),
    callbacks,
  };
  await desk.book.write({ pending });
  tellWhenDue(desk, pending);
}
