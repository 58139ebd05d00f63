/**
 * Points where a test can kill this process, to prove that no data is lost there (docs/decisions/0010-failpoints.md).
 * They do nothing unless FAILPOINTS names a file.
 *
 * If the file contains `NAME COUNT`, the COUNTth pass of failpoint NAME renames the file to `….hit` and kills the
 * process like `kill -9`. The renaming prevents a second kill and shows the test that the first happened.
 */
import { readFileSync, renameSync } from "node:fs";

export type FailpointName =
  /** Draws are committed, but no caller has an answer yet. */
  | "draws_committed"
  /** Payouts are claimed and their attempts are stored, but no call to the wallet has begun. */
  | "payouts_claimed"
  /** A call to the wallet is about to begin. Other calls may be in progress. */
  | "call_due"
  /** A call to the wallet has left this process, but its answer has not arrived. */
  | "call_sent"
  /** The wallet's answers are written but not committed. */
  | "answers_written"
  /** The wallet's answers are committed, and no other payout is claimed yet. */
  | "answers_committed"
  /** Refused payouts are queued again but not committed. Their audit row is not written yet. */
  | "reissue_written"
  /** The prizes of one pool of a file are written but not committed. */
  | "import_written"
  /** A download has sent its head and perhaps a part of its body. */
  | "download_begun"
  /** One migration has run but is not committed. */
  | "migration_run"
  /** The payouts of a dead worker are taken back, but this is not committed. */
  | "leases_expired"
  /** A page of the wallet's statement is stored, and more pages follow. */
  | "statement_page_kept"
  /** A stop has waited for all calls to the wallet. Their answers may not be written yet. */
  | "calls_ended";

interface Armed {
  readonly file: string;
  /** Content of the file at the last read. `passes` counts how often its failpoint was passed since then. */
  order: string;
  passes: number;
}

let armed: Armed | null = null;

function readOrder(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    // Without the file, failpoints do nothing.
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

/** Makes the failpoints read `file`. Only main calls this function, once. */
export function armFailpoints(file: string): void {
  armed = { file, order: "", passes: 0 };
}

/** Kills the process if the file names this failpoint and its count is reached. */
export function failpoint(name: FailpointName): void {
  if (armed !== null) {
    pass(armed, name);
  }
}
