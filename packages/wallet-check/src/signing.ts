/** Which calls a wallet accepts, and its answer about an unknown number (docs/integration.md). */
import type { PayoutCall } from "@red/contract/payouts/payout";
import { newPayout, TINY } from "./examination.ts";
import type { Examination } from "./examination.ts";
import type { Heard, Spoiling } from "./probe.ts";
import { isDenied, isLate, judgeHeard, shown } from "./words.ts";

/** A wallet must have no result for an unknown number. Throws without an answer. */
export async function checkNeverPaid(examination: Examination): Promise<void> {
  const { probe, findings } = examination;
  const heard = await probe.ask(newPayout(examination, TINY).trans_sn);
  if ("missing" in heard && !isLate(heard)) {
    throw new Error(`the wallet cannot be reached: ${heard.missing}`);
  }
  if (isDenied(heard)) {
    throw new Error(
      `the wallet refuses our signature (${shown(heard)}): check key, secret, the clocks, and whether it signs the path as it was sent`,
    );
  }
  // Its fields are not read: any result is the fault.
  const isUnknown = "status" in heard && heard.status === 404;
  judgeHeard(findings, "never_paid", heard, isUnknown, shown(heard));
}

/** Sends a payout with a broken signature; returns the answer, and the wallet's fault or null. */
async function deniedFault(
  examination: Examination,
  spoiling: (call: PayoutCall) => Spoiling,
): Promise<{ heard: Heard; fault: string | null }> {
  const { probe } = examination;
  const call = newPayout(examination, TINY);
  const heard = await probe.pay(call, spoiling(call));
  if (!isDenied(heard)) {
    return { heard, fault: shown(heard) };
  }
  const after = await probe.ask(call.trans_sn);
  const isPaid = "status" in after && after.status === 200 && /"paid"/.test(after.body);
  // Without an answer we do not know whether it was paid.
  return isLate(after)
    ? { heard: after, fault: shown(after) }
    : { heard, fault: isPaid ? `refused, and afterwards ${shown(after)}` : null };
}

export async function checkSignature(examination: Examination): Promise<void> {
  const { probe, findings } = examination;
  const variants: Readonly<Record<string, (call: PayoutCall) => Spoiling>> = {
    "a wrong signature": () => ({ signature: "0".repeat(64) }),
    "no signature": () => ({ unsigned: true }),
    "the signature of another key": () => ({ key: "nobody" }),
    "the signature of another body": (call) => ({
      signedBody: JSON.stringify({ ...call, amount: "0.02" }),
    }),
    "the signature of another path": () => ({ signedPath: "/elsewhere" }),
  };
  for (const [what, spoiling] of Object.entries(variants)) {
    const { heard, fault } = await deniedFault(examination, spoiling);
    judgeHeard(findings, "signature", heard, fault === null, `${what}: ${fault ?? ""}`);
    if (isLate(heard)) {
      return;
    }
  }
  const { trans_sn } = newPayout(examination, TINY);
  const asked = await probe.ask(trans_sn, { signature: "0".repeat(64) });
  const detail = `a question with a wrong signature: ${shown(asked)}`;
  judgeHeard(findings, "signature", asked, isDenied(asked), detail);
}

/** Tries clocks that are wrong by an hour, and by a little. */
export async function checkTimestamp(examination: Examination): Promise<void> {
  const { probe, findings } = examination;
  for (const clockSkew of [-3_600, 3_600]) {
    const { heard, fault } = await deniedFault(examination, () => ({ clockSkew }));
    const detail = `${clockSkew} s off: ${fault ?? ""}`;
    judgeHeard(findings, "timestamp", heard, fault === null, detail);
  }
  for (const clockSkew of [-240, 240]) {
    const { trans_sn } = newPayout(examination, TINY);
    const heard = await probe.ask(trans_sn, { clockSkew });
    const detail = `${clockSkew} s off: ${shown(heard)}`;
    judgeHeard(findings, "timestamp", heard, !isDenied(heard), detail);
  }
}
