/**
 * Points where this process can be killed, to prove that nothing is lost there
 * (docs/decisions/0010-failpoints.md). Off unless FAILPOINTS is set.
 *
 * While that file holds `NAME COUNT`, the COUNTth pass of failpoint NAME kills the process as `kill -9`
 * does. The file is renamed to `….hit` first, so that it kills once and its author can see that.
 */
import { readFileSync, renameSync } from "node:fs";

export type FailpointName =
  /** Draws are committed; nobody has been answered. */
  | "draws_committed"
  /** Payouts are claimed and their attempts written down; no call has begun. */
  | "payouts_claimed"
  /** A call to the wallet is about to be made; others may be under way. */
  | "call_due"
  /** A call to the wallet has left this process; it is not answered. */
  | "call_sent"
  /** What the wallet answered is written and not committed. */
  | "answers_written"
  /** What the wallet answered is committed; nothing else has been claimed. */
  | "answers_committed"
  /** Refused payouts are queued again, without their audit row, and not committed. */
  | "reissue_written"
  /** The prizes of one pool of a file are written, and not committed. */
  | "import_written"
  /** A download has its head and perhaps some of its body. */
  | "download_begun"
  /** One migration has run; it and the others are not committed. */
  | "migration_run"
  /** Payouts of a dead worker are taken back, and not committed. */
  | "leases_expired"
  /** A page of the wallet's statement is kept; the statement is not at its end. */
  | "statement_page_kept"
  /** A stop has waited for all calls; their answers may not be written yet. */
  | "calls_ended";

interface Armed {
  readonly file: string;
  /** What the file held when it was read last, and how often its place was passed since. */
  order: string;
  passes: number;
}

let armed: Armed | null = null;

function readOrder(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    // No file: do nothing.
    return "";
  }
}

function pass(state: Armed, name: FailpointName): void {
  const order = readOrder(state.file);
  const [wanted, count] = order.split(" ");
  if (wanted !== name) {
    return;
  }
  state.passes = order === state.order ? state.passes + 1 : 1;
  state.order = order;
  if (state.passes >= Number(count)) {
    renameSync(state.file, `${state.file}.hit`);
    process.kill(process.pid, "SIGKILL");
  }
}

/** Makes the failpoints read `file`; called once, by main. */
export function armFailpoints(file: string): void {
  armed = { file, order: "", passes: 0 };
}

/** Kills the process if the armed file asks for it here. */
export function failpoint(name: FailpointName): void {
  if (armed !== null) {
    pass(armed, name);
  }
}
