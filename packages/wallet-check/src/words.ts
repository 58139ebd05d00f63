/** Reads an examined wallet's answers and records their faults. */
import type { PayoutCall, PayoutWord } from "@red/contract/payouts/payout";
import type { Findings, WalletRule } from "./findings.ts";
import type { Heard } from "./probe.ts";

const STATUSES: readonly unknown[] = ["paid", "refused", "processing"];
const SHOWN_LENGTH = 120;

export interface Word {
  readonly status: PayoutWord["status"];
  /** As received, of any type. */
  readonly amount: unknown;
  readonly wallet_ref: string | null;
  readonly reason: string | null;
}

export function shown(heard: Heard): string {
  if ("missing" in heard) {
    return heard.missing;
  }
  const text = heard.body.replaceAll(/\p{Cc}+/gu, " ").trim();
  const cut = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
  return `status ${heard.status}${cut === "" ? ", no body" : `, ${cut}`}`;
}

/** Whether the call was refused for its signature. */
export function isDenied(heard: Heard): boolean {
  return "status" in heard && (heard.status === 401 || heard.status === 403);
}

/** Whether the call timed out, so that nothing else is known. */
export function isLate(heard: Heard): boolean {
  return "missing" in heard && heard.missing.startsWith("no answer within");
}

/** Judges a rule by an answer. A timeout breaks only the rule about time and leaves this one unchecked. */
export function judgeHeard(
  findings: Findings,
  rule: WalletRule,
  heard: Heard,
  isKept: boolean,
  detail: string,
): void {
  if (isLate(heard)) {
    findings.note("in_time", "broken", shown(heard));
    findings.note(rule, "unchecked", shown(heard));
    return;
  }
  findings.judge(rule, isKept, detail);
}

function fieldsOf(json: unknown): Readonly<Record<string, unknown>> | null {
  // Any object can be read by key.
  return typeof json === "object" && json !== null && !Array.isArray(json)
    ? (json as Record<string, unknown>)
    : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** Checks what every answer must be, and returns the fields of a 200; null when there are none. */
export function readFields(
  findings: Findings,
  heard: Heard,
): Readonly<Record<string, unknown>> | null {
  if ("missing" in heard) {
    if (isLate(heard)) {
      findings.note("in_time", "broken", heard.missing);
    }
    return null;
  }
  findings.judge("in_time", true, "");
  const isRedirect = heard.status >= 300 && heard.status < 400;
  findings.judge("redirect", !isRedirect, shown(heard));
  if (heard.status !== 200) {
    return null;
  }
  const fields = fieldsOf(heard.json);
  const isJson = fields !== null && /^application\/json\s*(;|$)/i.test(heard.contentType);
  findings.judge("json", isJson, `content type "${heard.contentType}", ${shown(heard)}`);
  return fields;
}

/**
 * Checks an answer that should hold the result of `call`, and returns that; null when there is none.
 * `amounts` are the allowed ones.
 */
export function readWord(
  findings: Findings,
  heard: Heard,
  call: PayoutCall,
  amounts: readonly string[] = [call.amount],
): Word | null {
  const fields = readFields(findings, heard);
  if (fields === null) {
    return null;
  }
  const { status, trans_sn, amount, wallet_ref, reason } = fields;
  const say = (right: string, found: unknown) =>
    `${JSON.stringify(found) ?? "nothing"} instead of ${right}`;
  const wanted = amounts.map((one) => `"${one}"`).join(" or ");
  findings.judge("trans_sn", trans_sn === call.trans_sn, say(call.trans_sn, trans_sn));
  findings.judge(
    "amount",
    amounts.some((one) => one === amount),
    say(wanted, amount),
  );
  const isStatus = STATUSES.includes(status);
  findings.judge("status", isStatus, say("paid, refused or processing", status));
  if (!isStatus) {
    return null;
  }
  return {
    // Checked above.
    status: status as Word["status"],
    amount,
    wallet_ref: textOrNull(wallet_ref),
    reason: textOrNull(reason),
  };
}

export function isSameWord(one: Word, other: Word): boolean {
  return (
    one.status === other.status &&
    one.amount === other.amount &&
    one.wallet_ref === other.wallet_ref
  );
}
