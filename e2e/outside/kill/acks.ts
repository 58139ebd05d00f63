/**
 * What this client was told, in an append-only file that is on disk before it counts. A draw is drawn,
 * refused, or open: an open one is asked again under the same number until it is one of the others.
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import type { Ask } from "../platform.ts";

/** A draw that was answered with a record. */
export interface Drawn {
  readonly ask: Ask;
  readonly log_id: number;
  readonly trans_sn: string;
  readonly award_name: string;
  readonly award_price: string;
  /** The answer byte for byte; null when it came as one of a batch. */
  readonly text: string | null;
}

/** A deposit that the system has said it holds. */
export interface Deposit {
  readonly order_no: string;
  readonly player_id: string;
  readonly amount: string;
  readonly created_at: string;
}

/** Between the answer to a pause and the call that ended it; milliseconds. */
export interface Pause {
  readonly rounds_id: number;
  readonly from: number;
  readonly until: number;
}

type Line =
  | { readonly drawn: Drawn }
  | { readonly refused: Ask; readonly code: unknown }
  | { readonly deposits: readonly Deposit[] }
  | { readonly pause: Pause };

export function openAcks(file: string) {
  const descriptor = openSync(file, "ax");
  const drawn = new Map<string, Drawn>();
  const refused = new Set<string>();
  const deposits = new Map<string, Deposit>();
  const pauses: Pause[] = [];
  let unwritten: string[] = [];
  let flushing: Promise<void> | null = null;

  /* What came in during one turn of the event loop shares a sync. */
  function flush(): Promise<void> {
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

  return {
    drawn: drawn as ReadonlyMap<string, Drawn>,
    refused: refused as ReadonlySet<string>,
    deposits: deposits as ReadonlyMap<string, Deposit>,
    pauses: pauses as readonly Pause[],
    /** Resolves when the lines are on disk; only then they count. */
    async keep(lines: readonly Line[]): Promise<void> {
      unwritten.push(...lines.map((line) => `${JSON.stringify(line)}\n`));
      await flush();
      for (const line of lines) {
        if ("drawn" in line) {
          drawn.set(line.drawn.ask.request_id, line.drawn);
        } else if ("refused" in line) {
          refused.add(line.refused.request_id);
        } else if ("pause" in line) {
          pauses.push(line.pause);
        } else {
          line.deposits.forEach((deposit) => deposits.set(deposit.order_no, deposit));
        }
      }
    },
    close: () => closeSync(descriptor),
  };
}

export type Acks = ReturnType<typeof openAcks>;
