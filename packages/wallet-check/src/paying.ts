/** Payouts that a wallet must answer, remember and pay once (docs/integration.md). */
import { randomBytes } from "node:crypto";
import { AMOUNTS, endOf, newPayout, settlePaid, settlePayout } from "./examination.ts";
import type { Examination, PaidPayout } from "./examination.ts";
import { isDenied, isSameWord, judgeHeard, readWord, shown } from "./words.ts";

const CHANGED_TO = "0.02";
const AT_ONCE = 8;

/** Leaves the rules that depend on the first payout unchecked. */
function leaveOpen({ findings }: Examination, why: string): null {
  for (const rule of ["nonce", "idempotent", "remembered", "parallel", "changed_amount"] as const) {
    findings.note(rule, "unchecked", why);
  }
  return null;
}

/** The first payout, on which most other rules depend; null when it was not paid. */
export async function checkAnswer(examination: Examination): Promise<PaidPayout | null> {
  const { findings, options } = examination;
  const call = newPayout(examination, AMOUNTS.first);
  const word = await settlePayout(examination, call);
  if (typeof word === "string") {
    const isExplained = (["in_time", "redirect", "json", "status"] as const).some((rule) =>
      findings.isBroken(rule),
    );
    findings.note("answer", isExplained ? "unchecked" : "broken", word);
    return leaveOpen(examination, "no payout was answered with a word");
  }
  findings.judge("answer", true, "");
  if (word.status === "paid") {
    const payout: PaidPayout = { call, word, purpose: "idempotent" };
    examination.paid.push(payout);
    return payout;
  }
  return leaveOpen(
    examination,
    word.status === "refused"
      ? `player ${options.player_id} is refused (${word.reason ?? "no reason given"}): name one whom the wallet pays`
      : `still being processed after ${options.waitMs / 1000} s`,
  );
}

/** The same payout again, the same request again, and two queries. */
export async function checkAgain(examination: Examination, payout: PaidPayout): Promise<void> {
  const { probe, findings } = examination;
  const { call, word } = payout;
  const nonce = randomBytes(16).toString("hex");
  const heard = await probe.pay(call, { nonce });
  const repeated = readWord(findings, heard, call);
  const isSame = repeated !== null && isSameWord(word, repeated);
  judgeHeard(findings, "idempotent", heard, isSame, shown(heard));
  const replayed = await probe.pay(call, { nonce });
  judgeHeard(findings, "nonce", replayed, isDenied(replayed), shown(replayed));
  const question = randomBytes(16).toString("hex");
  await probe.ask(call.trans_sn, { nonce: question });
  const requeried = await probe.ask(call.trans_sn, { nonce: question });
  const detail = `a question sent again: ${shown(requeried)}`;
  judgeHeard(findings, "nonce", requeried, isDenied(requeried), detail);
  for (const _ of [1, 2]) {
    const answer = await probe.ask(call.trans_sn);
    const remembered = readWord(findings, answer, call);
    const isKept = remembered !== null && isSameWord(word, remembered);
    judgeHeard(findings, "remembered", answer, isKept, shown(answer));
  }
}

export async function checkParallel(examination: Examination): Promise<void> {
  const { probe, findings } = examination;
  const call = newPayout(examination, AMOUNTS.parallel);
  const heard = await Promise.all(Array.from({ length: AT_ONCE }, () => probe.pay(call)));
  const words = heard.flatMap((answer) => readWord(findings, answer, call) ?? []);
  const end = await settlePaid(examination, call, "parallel");
  if (end === null) {
    return;
  }
  const different = words.find((word) => word.status === "paid" && !isSameWord(word, end));
  const detail = `paid as ${end.wallet_ref ?? "(no wallet_ref)"} and as ${different?.wallet_ref ?? "(no wallet_ref)"}`;
  findings.judge("parallel", different === undefined, detail);
}

export async function checkChangedAmount(examination: Examination): Promise<void> {
  const { probe, findings } = examination;
  const call = newPayout(examination, AMOUNTS.changed);
  const before = await settlePaid(examination, call, "changed_amount");
  if (before === null) {
    return;
  }
  const heard = await probe.pay({ ...call, amount: CHANGED_TO });
  const word = readWord(findings, heard, call, [call.amount, CHANGED_TO]);
  const isHarmless = word === null || word.status === "refused" || isSameWord(word, before);
  findings.judge("changed_amount", isHarmless, shown(heard));
  const queried = await probe.ask(call.trans_sn);
  const after = readWord(findings, queried, call, [call.amount, CHANGED_TO]);
  const isUnchanged = after !== null && isSameWord(after, before);
  findings.judge(
    "changed_amount",
    // A wallet that forgets its payments breaks another rule, reported there.
    isUnchanged || findings.isBroken("remembered"),
    `afterwards: ${shown(queried)}`,
  );
}

/**
 * A refused payout, then the same number for a player whom the wallet pays: a wallet that remembers the
 * refusal refuses that too.
 */
export async function checkRefusal(examination: Examination): Promise<void> {
  const { probe, findings, options } = examination;
  if (options.refused_player === null) {
    const advice = "no player was named whose payouts are refused: add --refused-player";
    findings.note("refusal", "unchecked", advice);
    return;
  }
  if (examination.paid.length === 0) {
    findings.note("refusal", "unchecked", "no player is known whom the wallet pays");
    return;
  }
  const refusedCall = newPayout(examination, AMOUNTS.refusal, options.refused_player);
  const refused = await settlePayout(examination, refusedCall);
  if (typeof refused === "string" || refused.status !== "refused") {
    const detail = `player ${options.refused_player} is not refused: ${endOf(refused)}`;
    findings.note("refusal", "unchecked", detail);
    return;
  }
  const queried = await probe.ask(refusedCall.trans_sn);
  const word = readWord(findings, queried, refusedCall);
  if (word !== null && word.status !== "refused") {
    findings.note("refusal", "broken", `refused, and then ${shown(queried)}`);
    return;
  }
  const { player_id, user_name } = options;
  const call = { ...refusedCall, player_id, user_name };
  const second = await settlePayout(examination, call);
  if (typeof second !== "string" && second.status === "paid") {
    examination.paid.push({ call, word: second, purpose: "refusal" });
    findings.judge("refusal", true, "");
    return;
  }
  const detail = `sent later, for a player whom it pays: ${endOf(second)}`;
  findings.note("refusal", "broken", detail);
}
