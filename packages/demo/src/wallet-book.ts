/**
 * The demo wallet's book: paid and processing payouts, and the refusals of each number. Only ledger lines
 * change it, so replaying them makes the same book.
 */
import type { PayoutCall } from "@red/contract/payout";

export type PaidLine = Pick<PayoutCall, "trans_sn" | "player_id" | "user_name" | "amount"> & {
  readonly kind: "paid";
  /** RFC 3339. */
  readonly paid_at: string;
  readonly wallet_ref: string;
};

interface RefusedLine {
  readonly kind: "refused";
  readonly trans_sn: string;
  readonly reason: string;
  readonly at: string;
}

export interface ProcessingLine {
  readonly kind: "processing";
  readonly call: PayoutCall;
  readonly settle: "paid" | "refused";
  readonly reason: string | null;
  readonly by: "callback" | "query";
  /** RFC 3339: from then on it may settle. */
  readonly due_at: string;
}

export type Line = PaidLine | RefusedLine | ProcessingLine;

export interface Book {
  /** By `trans_sn`; never removed. */
  readonly paid: ReadonlyMap<string, PaidLine>;
  readonly processing: ReadonlyMap<string, ProcessingLine>;
  readonly statement: readonly PaidLine[];
  refusalsOf(transSn: string): number;
  apply(line: Line): void;
}

/** Parses a ledger line; throws on an unknown kind. */
export function readLine(value: unknown): Line {
  const kind =
    typeof value === "object" && value !== null && "kind" in value ? value.kind : undefined;
  if (kind !== "paid" && kind !== "refused" && kind !== "processing") {
    throw new Error(`not a line of this wallet's ledger: ${JSON.stringify(value)}`);
  }
  // Only this process writes the file, in whole lines: the kind gives the shape.
  return value as Line;
}

export function createBook(): Book {
  const paid = new Map<string, PaidLine>();
  const processing = new Map<string, ProcessingLine>();
  const refusals = new Map<string, number>();
  const statement: PaidLine[] = [];
  return {
    paid,
    processing,
    statement,
    refusalsOf: (transSn) => refusals.get(transSn) ?? 0,
    apply(line) {
      switch (line.kind) {
        case "paid":
          if (paid.has(line.trans_sn)) {
            throw new Error(`paid twice: ${line.trans_sn}`);
          }
          processing.delete(line.trans_sn);
          paid.set(line.trans_sn, line);
          statement.push(line);
          return;
        case "refused":
          processing.delete(line.trans_sn);
          refusals.set(line.trans_sn, (refusals.get(line.trans_sn) ?? 0) + 1);
          return;
        case "processing":
          processing.set(line.call.trans_sn, line);
          return;
        default:
          line satisfies never;
      }
    },
  };
}
