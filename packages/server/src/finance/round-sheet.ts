/** Computes the sheet of a round from its counts (behaviour §6), without side effects. */
import { createHash } from "node:crypto";
import { formatDateTime } from "@red/contract/platform/datetime";
import { formatCents } from "@red/contract/platform/money";
import { LINE_OF_STATE, SHEET_LINES } from "@red/contract/finance/sheet";
import type { Sheet, SheetFigures, SheetLine } from "@red/contract/finance/sheet";
import type { ErrorKey } from "@red/contract/platform/errors";
import type { SheetCount, WalletSide } from "./sheet-sql.ts";

interface Sum {
  count: number;
  cents: bigint;
}

type Lines = Record<SheetLine, Sum>;

function eachLine<T>(make: (line: SheetLine) => T): Record<SheetLine, T> {
  // The cast is safe: every line is a key.
  return Object.fromEntries(SHEET_LINES.map((line) => [line, make(line)])) as Record<SheetLine, T>;
}

const noLines = (): Lines => eachLine(() => ({ count: 0, cents: 0n }));

function add(sum: Sum, { count, cents }: Sum): void {
  sum.count += count;
  sum.cents += cents;
}

function figure({ count, cents }: Sum) {
  return { count, amount: formatCents(cents) };
}

const figuresOf = (lines: Lines) => eachLine((line) => figure(lines[line]));

function rest(drawn: Sum, lines: Lines): Sum {
  const sum = { ...drawn };
  for (const line of SHEET_LINES) {
    sum.count -= lines[line].count;
    sum.cents -= lines[line].cents;
  }
  return sum;
}

export function sheetStatement(wallet: WalletSide, timeZone: string): Sheet["statement"] {
  const { until, later_count, later_cents, accepted_breaks } = wallet;
  return {
    until: until && formatDateTime(until, timeZone),
    later: figure({ count: later_count, cents: later_cents }),
    accepted_breaks,
  };
}

export function sheetFigures(
  head: Pick<SheetFigures, "rounds_id" | "rounds_name" | "start_time" | "end_time">,
  counts: readonly SheetCount[],
  wallet: WalletSide,
): SheetFigures {
  const drawn = { count: 0, cents: 0n };
  const lines = noLines();
  const prizes = new Map<string, { of: SheetCount; drawn: Sum; lines: Lines }>();
  for (const row of counts) {
    const key = JSON.stringify([row.prize_id, row.award_name, row.award_price_cents]);
    const prize = prizes.get(key) ?? { of: row, drawn: { count: 0, cents: 0n }, lines: noLines() };
    prizes.set(key, prize);
    add(drawn, row);
    add(prize.drawn, row);
    if (row.state !== null) {
      const line = LINE_OF_STATE[row.state];
      add(lines[line], row);
      add(prize.lines[line], row);
    }
  }
  const { covered, open_breaks } = wallet;
  return {
    ...head,
    drawn: figure(drawn),
    lines: figuresOf(lines),
    difference: figure(rest(drawn, lines)),
    prizes: [...prizes.values()].map((prize) => ({
      prize_id: prize.of.prize_id,
      award_name: prize.of.award_name,
      award_price: formatCents(prize.of.award_price_cents),
      drawn: figure(prize.drawn),
      lines: figuresOf(prize.lines),
    })),
    wallet: {
      covered,
      listed: figure(wallet),
      difference: figure({
        count: lines.paid.count - wallet.count,
        cents: lines.paid.cents - wallet.cents,
      }),
      open_breaks,
    },
  };
}

/** Returns the SHA-256 of the figures as JSON, in hex. */
export function sheetHash(figures: SheetFigures): string {
  return createHash("sha256").update(JSON.stringify(figures)).digest("hex");
}

/**
 * Returns why a sheet cannot be signed yet, or null if it can. The round must be over, without differences and without
 * payouts that are in progress or unknown, and the wallet's statements must cover all paid payouts.
 */
export function notReady(figures: SheetFigures, moving: number, isOver: boolean): ErrorKey | null {
  const { difference, wallet } = figures;
  if (!isOver) {
    return "sheet_round_runs";
  }
  if (moving > 0) {
    return "sheet_unsettled";
  }
  if (difference.count !== 0 || difference.amount !== "0.00" || wallet.open_breaks > 0) {
    return "sheet_differs";
  }
  if (!wallet.covered) {
    return "sheet_not_reconciled";
  }
  return wallet.difference.count === 0 && wallet.difference.amount === "0.00"
    ? null
    : "sheet_differs";
}
