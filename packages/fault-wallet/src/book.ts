/**
 * The test wallet's book: every credit, call and broken rule, in one append-only file. A credit is on disk
 * before any answer. This package shares no code with the product that it judges.
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
  /** `new`: made by this call; `known`: it already existed; `none`: there is none. */
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

function readEntries(file: string, descriptor: number): Entry[] {
  const content = readFileSync(file);
  const whole = content.lastIndexOf(0x0a) + 1;
  ftruncateSync(descriptor, whole);
  const lines = content.subarray(0, whole).toString("utf8").split("\n");
  // Only this module writes the file.
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Entry);
}

export function openFaultsBook(file: string) {
  mkdirSync(dirname(file), { recursive: true });
  const descriptor = openSync(file, "a+");
  const credits = new Map<string, Credit>();
  const booked: Credit[] = [];
  const pending = new Map<string, Pending>();
  const attempts: Attempt[] = [];
  const violations: Violation[] = [];
  let unwritten: string[] = [];
  let flushing: Promise<void> | null = null;

  function apply(entry: Entry): void {
    if ("credit" in entry) {
      // A second credit of the same number is a fault that the ledger must show.
      booked.push(entry.credit);
      credits.set(entry.credit.trans_sn, entry.credit);
    } else if ("attempt" in entry) {
      attempts.push(entry.attempt);
    } else if ("violation" in entry) {
      violations.push(entry.violation);
    } else if ("pending" in entry) {
      pending.set(entry.pending.trans_sn, entry.pending);
    } else {
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

  for (const entry of readEntries(file, descriptor)) {
    apply(entry);
  }
  // Read-only outside: every change must go through the file.
  return {
    credits: credits as ReadonlyMap<string, Credit>,
    booked: booked as readonly Credit[],
    pending: pending as ReadonlyMap<string, Pending>,
    attempts: attempts as readonly Attempt[],
    violations: violations as readonly Violation[],
    write,
    /** Resolves when everything so far is on disk. */
    flush,
    close: () => closeSync(descriptor),
  };
}

export type FaultsBook = ReturnType<typeof openFaultsBook>;
