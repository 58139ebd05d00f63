/** Which calls a wallet lets in, and what it says of what it never heard of (docs/integration.md). */
import type { PayoutCall } from "@red/contract/payout";
import { newPayout, TINY } from "#jobs/wallet-examination";
import type { Examination } from "#jobs/wallet-examination";
import type { Spoiling } from "#jobs/wallet-probe";
import { isDenied, shown } from "#jobs/wallet-words";

/** Nothing may be said of a number that the wallet has never heard; throws when nobody answers. */
export async function checkNeverPaid(examination: Examination): Promise<void> {
  const { probe, findings } = examination;
  const heard = await probe.ask(newPayout(examination, TINY).trans_sn);
  if ("missing" in heard && !heard.missing.startsWith("no answer within")) {
    throw new Error(`the wallet cannot be reached: ${heard.missing}`);
  }
  if (isDenied(heard)) {
    throw new Error(
      `the wallet refuses our signature (${shown(heard)}): check key, secret, the clocks, and whether it signs the path as it was sent`,
    );
  }
  // Its fields are not read: that there is an answer at all is the fault.
  findings.judge("never_paid", "status" in heard && heard.status === 404, shown(heard));
}

/** Sends a payout with a spoilt signature; what the wallet did wrong, or null. */
async function deniedFault(
  examination: Examination,
  spoiling: (call: PayoutCall) => Spoiling,
): Promise<string | null> {
  const { probe } = examination;
  const call = newPayout(examination, TINY);
  const heard = await probe.pay(call, spoiling(call));
  if (!isDenied(heard)) {
    return shown(heard);
  }
  const after = await probe.ask(call.trans_sn);
  const isPaid = "status" in after && after.status === 200 && /"paid"/.test(after.body);
  return isPaid ? `refused, and afterwards ${shown(after)}` : null;
}

/** Every way in which a signature can be wrong. */
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
    const fault = await deniedFault(examination, spoiling);
    findings.judge("signature", fault === null, `${what}: ${fault ?? ""}`);
  }
  const { trans_sn } = newPayout(examination, TINY);
  const asked = await probe.ask(trans_sn, { signature: "0".repeat(64) });
  findings.judge(
    "signature",
    isDenied(asked),
    `a question with a wrong signature: ${shown(asked)}`,
  );
}

/** Clocks that are an hour off, and clocks that are a little off. */
export async function checkTimestamp(examination: Examination): Promise<void> {
  const { probe, findings } = examination;
  for (const clockSkew of [-3_600, 3_600]) {
    const fault = await deniedFault(examination, () => ({ clockSkew }));
    findings.judge("timestamp", fault === null, `${clockSkew} s off: ${fault ?? ""}`);
  }
  for (const clockSkew of [-240, 240]) {
    const { trans_sn } = newPayout(examination, TINY);
    const heard = await probe.ask(trans_sn, { clockSkew });
    findings.judge("timestamp", !isDenied(heard), `${clockSkew} s off: ${shown(heard)}`);
  }
}
