/** Shared by all steps of a wallet examination: the payouts that they send, and their results. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { formatRfc3339 } from "@red/contract/platform/datetime";
import type { PayoutCall } from "@red/contract/payouts/payout";
import type { Findings, WalletRule } from "./findings.ts";
import type { walletProbe } from "./probe.ts";
import { isLate, readWord, shown } from "./words.ts";
import type { Word } from "./words.ts";

export interface WalletCheckOptions {
  /** The player that the wallet pays, and its account. */
  readonly player_id: string;
  readonly user_name: string;
  /** A player whose payouts the wallet refuses; null skips that rule. */
  readonly refused_player: string | null;
  readonly red_code: string;
  readonly timeZone: string;
  /** How long to wait for a payout in "processing", and for the statement. */
  readonly waitMs: number;
  readonly deadlineMs: number;
}

/** A payout that the wallet reported as paid; `purpose` is the rule that it checks. */
export interface PaidPayout {
  readonly call: PayoutCall;
  readonly word: Word;
  readonly purpose: WalletRule;
}

export interface Examination {
  readonly options: WalletCheckOptions;
  readonly probe: ReturnType<typeof walletProbe>;
  readonly findings: Findings;
  readonly paid: PaidPayout[];
  readonly begun: Date;
}

export const TINY = "0.01";

/** The amounts that a correct wallet pays. The first ends with a zero, which a JSON number would lose. */
export const AMOUNTS = { first: "0.10", parallel: TINY, changed: TINY, refusal: TINY } as const;
/** More than a run can cost, even with a wallet that pays at every call. */
export const AMOUNT_BOUND = "1.00";
const SENDINGS_MAX = 3;
const PAUSE_MS = 500;

/** The amounts of a run, to be confirmed by its operator. */
export function plannedAmounts(withRefusal: boolean): readonly string[] {
  const { refusal, ...always } = AMOUNTS;
  return withRefusal ? [...Object.values(always), refusal] : Object.values(always);
}

/** A payout as the system would send it, with a new number. */
export function newPayout(
  { options }: Examination,
  amount: string,
  player_id = options.player_id,
): PayoutCall {
  return {
    trans_sn: `check-${randomBytes(13).toString("hex")}`,
    player_id,
    user_name: player_id === options.player_id ? options.user_name : player_id,
    amount,
    turnover: 1,
    red_code: options.red_code,
    rounds_id: 1,
    created_at: formatRfc3339(new Date(), options.timeZone),
  };
}

/** Waits while the payout is "processing"; returns the last result when the time is over. */
async function awaitEnd(examination: Examination, call: PayoutCall, first: Word): Promise<Word> {
  const { probe, findings, options } = examination;
  const end = Date.now() + options.waitMs;
  let word = first;
  while (word.status === "processing" && Date.now() < end) {
    await sleep(PAUSE_MS);
    word = readWord(findings, await probe.ask(call.trans_sn), call) ?? word;
  }
  return word;
}

/**
 * Sends a payout with retries, as the worker does, and returns its final result, or a text that says why there is no
 * result.
 */
export async function settlePayout(
  examination: Examination,
  call: PayoutCall,
): Promise<Word | string> {
  const { probe, findings } = examination;
  let last = "";
  for (let sent = 1; sent <= SENDINGS_MAX; sent += 1) {
    const heard = await probe.pay(call);
    const word = readWord(findings, heard, call);
    if (word !== null) {
      return await awaitEnd(examination, call, word);
    }
    last = shown(heard);
    if (isLate(heard)) {
      break;
    }
    await sleep(PAUSE_MS);
  }
  return last;
}

export function endOf(word: Word | string): string {
  return typeof word === "string" ? word : `${word.status} ${word.reason ?? ""}`.trim();
}

/** Settles a payout that the wallet should pay; otherwise returns null and leaves the rule unchecked. */
export async function settlePaid(
  examination: Examination,
  call: PayoutCall,
  purpose: WalletRule,
): Promise<Word | null> {
  const word = await settlePayout(examination, call);
  if (typeof word !== "string" && word.status === "paid") {
    examination.paid.push({ call, word, purpose });
    return word;
  }
  const detail = `the payout for it was not paid: ${endOf(word)}`;
  examination.findings.note(purpose, "unchecked", detail);
  return null;
}
