/**
 * Answers to this client, in an append-only file that is on disk before they count. A draw is drawn, refused, or
 * open: an open one is repeated with the same number until it is drawn or refused.
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import type { Ask } from "../platform.ts";

/** A draw answered with a record. */
export interface Drawn {
  readonly ask: Ask;
  readonly log_id: number;
  readonly trans_sn: string;
  readonly award_name: string;
  readonly award_price: string;
  /** The exact bytes of the answer; null for a draw of a batch. */
  readonly text: string | null;
}

/** A deposit that the system has accepted. */
export interface Deposit {
  readonly order_no: string;
  readonly player_id: string;
  readonly amount: string;
  readonly created_at: string;
}

/** From the answer to a pause until the call that ended it, in milliseconds. */
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

  /* All lines of one turn of the event loop share a sync. */
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
    /** Resolves when the lines are on disk; only then do they count. */
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
