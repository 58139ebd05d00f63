/** Checks that the statement lists what was paid (docs/integration.md). */
import { setTimeout as sleep } from "node:timers/promises";
import { parseRfc3339 } from "@red/contract/platform/datetime";
import type { Examination, PaidPayout } from "./examination.ts";
import { readFields, shown } from "./words.ts";

const PAGES_MAX = 1_000;
const LOOK_AGAIN_MS = 1_000;
/** Allowed difference between both clocks. */
const SLACK_MS = 300_000;

type Row = Readonly<Record<string, unknown>>;

interface Listed {
  /** Null when the wallet offers no statement. */
  readonly rows: readonly Row[] | null;
  /** What is wrong with its format; null if nothing. */
  readonly fault: string | null;
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null;
}

async function readStatement(
  { probe, findings }: Examination,
  from: Date,
  to: Date,
): Promise<Listed> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const heard = await probe.statement(from, to, cursor);
    const fields = readFields(findings, heard);
    if (fields === null) {
      const isOffered = page > 1 || !("status" in heard) || heard.status !== 404;
      return isOffered ? { rows, fault: shown(heard) } : { rows: null, fault: null };
    }
    const { payouts, next } = fields;
    if (!Array.isArray(payouts) || !payouts.every(isRow)) {
      return { rows, fault: `payouts is no list of objects: ${shown(heard)}` };
    }
    rows.push(...payouts);
    if (next === null || next === undefined) {
      return { rows, fault: null };
    }
    if (typeof next !== "string" || next === cursor) {
      return { rows, fault: `next is neither a new cursor nor null: ${JSON.stringify(next)}` };
    }
    cursor = next;
  }
  return { rows, fault: `it has more than ${PAGES_MAX} pages` };
}

function rowsOf(rows: readonly Row[], { call }: PaidPayout): readonly Row[] {
  return rows.filter((row) => row["trans_sn"] === call.trans_sn);
}

function rowFault(row: Row, { call, word }: PaidPayout, begun: Date): string | null {
  const { amount, player_id, paid_at, wallet_ref } = row;
  const say = (name: string, found: unknown) =>
    `${call.trans_sn}: ${name} is ${JSON.stringify(found)}`;
  if (amount !== call.amount) {
    return say("amount", amount);
  }
  if (player_id !== call.player_id) {
    return say("player_id", player_id);
  }
  if (word.wallet_ref !== null && wallet_ref !== word.wallet_ref) {
    return say("wallet_ref", wallet_ref);
  }
  const at = typeof paid_at === "string" ? parseRfc3339(paid_at) : null;
  const isTimely =
    at !== null &&
    at.getTime() >= begun.getTime() - SLACK_MS &&
    at.getTime() <= Date.now() + SLACK_MS;
  return isTimely ? null : say("paid_at", paid_at);
}

/** The statement of the run, read again while something is missing. */
async function awaitStatement(examination: Examination): Promise<Listed> {
  const { begun, options, paid } = examination;
  const from = new Date(begun.getTime() - SLACK_MS);
  const end = Date.now() + options.waitMs;
  for (;;) {
    const listed = await readStatement(examination, from, new Date(Date.now() + SLACK_MS));
    const { rows, fault } = listed;
    const isDone =
      rows === null || fault !== null || paid.every((one) => rowsOf(rows, one).length > 0);
    if (isDone || Date.now() >= end) {
      return listed;
    }
    await sleep(Math.min(LOOK_AGAIN_MS, options.waitMs));
  }
}

/** Without a `wallet_ref` and without a statement, we cannot tell one credit from two. */
function skipUnseen({ findings, paid }: Examination): void {
  for (const { call, word, purpose } of paid) {
    if (word.wallet_ref === null && purpose !== "refusal") {
      const advice = `without wallet_ref and statement it cannot be told from outside: look whether ${call.trans_sn} was credited once`;
      findings.note(purpose, "skipped", advice);
    }
  }
}

/** A payout at the very end of a span belongs to the next span. */
async function checkSpanEnd(examination: Examination, rows: readonly Row[]): Promise<void> {
  const { findings, paid } = examination;
  for (const payout of paid) {
    const [row] = rowsOf(rows, payout);
    const paid_at = row?.["paid_at"];
    const at = typeof paid_at === "string" ? parseRfc3339(paid_at) : null;
    // With more than three decimals the side of the millisecond is not defined.
    if (at === null || /\.\d{4}/.test(String(paid_at))) {
      continue;
    }
    const before = await readStatement(examination, new Date(at.getTime() - SLACK_MS), at);
    const isLeftOut = before.rows === null || rowsOf(before.rows, payout).length === 0;
    const detail = `to is not excluded: ${payout.call.trans_sn}, paid at ${String(paid_at)}, is listed up to there`;
    findings.judge("statement", isLeftOut, detail);
    return;
  }
}

/**
 * The statement must list every payment once. A duplicate breaks the rule that the payout was sent for: the
 * wallet paid again.
 */
export async function checkStatement(examination: Examination): Promise<void> {
  const { findings, paid, begun } = examination;
  const { rows, fault } = await awaitStatement(examination);
  if (rows === null) {
    findings.note("statement", "skipped", "the wallet offers none");
    skipUnseen(examination);
    return;
  }
  if (fault !== null) {
    findings.note("statement", "broken", fault);
    return;
  }
  if (paid.length === 0) {
    findings.note("statement", "unchecked", "nothing was paid that it could list");
    return;
  }
  for (const payout of paid) {
    const [row, ...others] = rowsOf(rows, payout);
    const wrong =
      row === undefined
        ? `${payout.call.trans_sn} is not in it`
        : others.length === 0
          ? rowFault(row, payout, begun)
          : null;
    findings.judge("statement", wrong === null, wrong ?? "");
    if (others.length > 0) {
      const detail = `the statement lists ${payout.call.trans_sn} ${others.length + 1} times`;
      findings.note(payout.purpose, "broken", detail);
    }
  }
  await checkSpanEnd(examination, rows);
  const longAgo = await readStatement(examination, new Date(0), new Date(SLACK_MS));
  const stray = longAgo.rows?.find((row) => paid.some((one) => rowsOf([row], one).length > 0));
  if (stray !== undefined) {
    findings.note("statement", "broken", "it lists payouts outside of the span that was asked for");
  }
}
