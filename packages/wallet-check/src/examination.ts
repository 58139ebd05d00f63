/** What the steps of a wallet's examination share: the payouts that they send, and how each ends. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { formatRfc3339 } from "@red/contract/datetime";
import type { PayoutCall } from "@red/contract/payout";
import type { Findings, WalletRule } from "./findings.ts";
import type { WalletProbe } from "./probe.ts";
import { isLate, readWord, shown } from "./words.ts";
import type { Word } from "./words.ts";

export interface WalletCheckOptions {
  /** Whom the wallet pays, and what the account is called. */
  readonly player_id: string;
  readonly user_name: string;
  /** A player whose payouts the wallet refuses; null leaves that rule out. */
  readonly refused_player: string | null;
  readonly red_code: string;
  readonly timeZone: string;
  /** How long to wait for a payout that is being processed, and for the statement. */
  readonly waitMs: number;
  /** How long to wait for one answer. */
  readonly deadlineMs: number;
}

/** One payout that the wallet said it had paid, and the rule that it was made for. */
export interface PaidPayout {
  readonly call: PayoutCall;
  readonly word: Word;
  readonly purpose: WalletRule;
}

/** What the steps of an examination share. */
export interface Examination {
  readonly options: WalletCheckOptions;
  readonly probe: WalletProbe;
  readonly findings: Findings;
  readonly paid: PaidPayout[];
  readonly begun: Date;
}

export const TINY = "0.01";

/** What a wallet that keeps the rules pays; the first has a zero at its end, which numbers lose. */
export const AMOUNTS = { first: "0.10", parallel: TINY, changed: TINY, refusal: TINY } as const;
/** More than a wallet can pay in a run that pays at every call. */
export const AMOUNT_BOUND = "1.00";
const SENDINGS_MAX = 3;
const PAUSE_MS = 500;

/** The payouts of a run, for whoever has to agree to them. */
export function plannedAmounts(withRefusal: boolean): readonly string[] {
  const { refusal, ...always } = AMOUNTS;
  return withRefusal ? [...Object.values(always), refusal] : Object.values(always);
}

/** A payout as the system would send it, under a number that nobody had before. */
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

/** Waits for the end of what is being processed; the last word when the patience is over. */
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
 * Sends a payout as the worker would, again when there is no word, and answers the word in the end.
 * A text says why there is none.
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

/** Settles a payout that the wallet should pay; null, with the rule unchecked, when it did not. */
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
  const why = typeof word === "string" ? word : `${word.status} ${word.reason ?? ""}`.trim();
  examination.findings.note(purpose, "unchecked", `the payout for it was not paid: ${why}`);
  return null;
}
