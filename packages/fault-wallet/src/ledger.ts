/**
 * The test wallet's ledger: every credit, call and broken rule, in one append-only file. A credit is on disk before the
 * answer is sent. This package judges the product, so it shares no code with it.
 */
import {
  closeSync,
  fdatasyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

export interface Credit {
  readonly trans_sn: string;
  readonly player_id: string;
  readonly user_name: string;
  readonly amount: string;
  readonly turnover: number;
  readonly red_code: string;
  readonly rounds_id: number;
  readonly paid_at: string;
  readonly wallet_ref: string;
}

export interface Attempt {
  readonly at: string;
  readonly call: "pay" | "query" | "statement";
  readonly trans_sn: string | null;
  readonly mode: string;
  /** `new`: this call made the credit; `known`: it existed before; `none`: no credit exists. */
  readonly credit: "new" | "known" | "none";
}

export interface Violation {
  readonly at: string;
  readonly rule: string;
  readonly detail: string;
}

export interface Pending {
  readonly trans_sn: string;
  readonly order: Omit<Credit, "paid_at" | "wallet_ref">;
  readonly settle: "paid" | "refused";
  readonly reason: string;
  readonly by: "callback" | "query";
  readonly due_at: string;
  readonly callbacks: number;
}

type Entry =
  | { readonly credit: Credit }
  | { readonly attempt: Attempt }
  | { readonly violation: Violation }
  | { readonly pending: Pending }
  | { readonly settled: string };

/** A line that the demonstration wallet of earlier releases wrote. Only such lines have a `kind`. */
type FormerLine =
  | (Credit & { readonly kind: "paid" })
  | { readonly kind: "refused"; readonly trans_sn: string }
  | (Omit<Pending, "trans_sn" | "order"> & {
      readonly kind: "processing";
      readonly call: Pending["order"];
    });

function entriesOf(line: Entry | FormerLine): Entry[] {
  if (!("kind" in line)) {
    return [line];
  }
  switch (line.kind) {
    case "paid":
      return [{ settled: line.trans_sn }, { credit: line }];
    case "refused":
      return [{ settled: line.trans_sn }];
    case "processing": {
      const { call: order, settle, by, due_at } = line;
      const how = { settle, reason: line.reason ?? "", by, due_at, callbacks: 1 };
      return [{ pending: { trans_sn: order.trans_sn, order, ...how } }];
    }
    default:
      return line satisfies never;
  }
}

/** The whole lines of the file; only this package writes it. */
function readEntries(content: Buffer): Entry[] {
  const lines = content
    .subarray(0, content.lastIndexOf(0x0a) + 1)
    .toString("utf8")
    .split("\n");
  return lines
    .filter((line) => line !== "")
    .flatMap((line) => entriesOf(JSON.parse(line) as Entry | FormerLine));
}

/** The credits, calls and broken rules that are on disk. */
export function readLedger(file: string) {
  const entries = readEntries(readFileSync(file));
  return {
    credits: entries.flatMap((entry) => ("credit" in entry ? entry.credit : [])),
    attempts: entries.flatMap((entry) => ("attempt" in entry ? entry.attempt : [])),
    violations: entries.flatMap((entry) => ("violation" in entry ? entry.violation : [])),
  };
}

/** The payout that an entry refuses; null for other entries. */
function refusedBy(entry: Entry, pending: ReadonlyMap<string, Pending>): string | null {
  if ("settled" in entry) {
    return pending.get(entry.settled)?.settle === "refused" ? entry.settled : null;
  }
  const isRefusal =
    "attempt" in entry && entry.attempt.mode === "refuse" && entry.attempt.credit === "none";
  return isRefusal ? entry.attempt.trans_sn : null;
}

export function openLedger(file: string) {
  mkdirSync(dirname(file), { recursive: true });
  const descriptor = openSync(file, "a+");
  const credits = new Map<string, Credit>();
  const booked: Credit[] = [];
  const pending = new Map<string, Pending>();
  const refusals = new Map<string, number>();
  let unwritten: string[] = [];
  let flushing: Promise<void> | null = null;

  function apply(entry: Entry): void {
    const refused = refusedBy(entry, pending);
    if (refused !== null) {
      refusals.set(refused, (refusals.get(refused) ?? 0) + 1);
    }
    if ("credit" in entry) {
      // A second credit of the same number is a fault that the ledger must show.
      booked.push(entry.credit);
      credits.set(entry.credit.trans_sn, entry.credit);
    } else if ("pending" in entry) {
      pending.set(entry.pending.trans_sn, entry.pending);
    } else if ("settled" in entry) {
      pending.delete(entry.settled);
    }
  }

  /** All entries of one turn of the event loop share one sync. */
  function flush(): Promise<void> {
    if (unwritten.length === 0) {
      return Promise.resolve();
    }
    flushing ??= new Promise((resolve) => {
      setImmediate(() => {
        flushing = null;
        writeSync(descriptor, unwritten.join(""));
        unwritten = [];
        fdatasyncSync(descriptor);
        resolve();
      });
    });
    return flushing;
  }

  function write(entry: Entry): Promise<void> {
    apply(entry);
    unwritten.push(`${JSON.stringify(entry)}\n`);
    return flush();
  }

  const content = readFileSync(file);
  // A crash cut off the text after the last line end; it was never acknowledged.
  ftruncateSync(descriptor, content.lastIndexOf(0x0a) + 1);
  readEntries(content).forEach(apply);
  // Read-only outside: every change must go through the file.
  return {
    credits: credits as ReadonlyMap<string, Credit>,
    booked: booked as readonly Credit[],
    pending: pending as ReadonlyMap<string, Pending>,
    /** How often a payout was refused, by `trans_sn`. */
    refusals: refusals as ReadonlyMap<string, number>,
    write,
    /** Resolves when everything so far is on disk. */
    flush,
    close: () => closeSync(descriptor),
  };
}

export type Ledger = ReturnType<typeof openLedger>;
