/**
 * Sends payouts to a wallet and reports the rules that it breaks (docs/integration.md). It pays real, tiny
 * amounts to a player named by the wallet's operators.
 */
import {
  checkAgain,
  checkAnswer,
  checkChangedAmount,
  checkParallel,
  checkRefusal,
} from "./paying.ts";
import { checkNeverPaid, checkSignature, checkTimestamp } from "./signing.ts";
import { checkStatement } from "./statement.ts";
import type { Examination, PaidPayout, WalletCheckOptions } from "./examination.ts";
import { createFindings } from "./findings.ts";
import type { RuleFinding } from "./findings.ts";
import { walletProbe } from "./probe.ts";
import type { WalletAccess } from "./probe.ts";

/**
 * Examines the wallet and returns one finding per rule. Throws when it cannot be reached or rejects our
 * signature, because then no rule can be checked.
 */
export async function examineWallet(
  access: WalletAccess,
  options: WalletCheckOptions,
): Promise<{ findings: RuleFinding[]; paid: readonly PaidPayout[] }> {
  const examination: Examination = {
    options,
    probe: walletProbe(access, options.deadlineMs),
    findings: createFindings(),
    paid: [],
    begun: new Date(),
  };
  for (const check of [checkNeverPaid, checkSignature, checkTimestamp]) {
    await check(examination);
    if (examination.findings.isBroken("in_time")) {
      // Every further call would take as long and show as little.
      return { findings: examination.findings.all(), paid: [] };
    }
  }
  const first = await checkAnswer(examination);
  if (first !== null) {
    await checkAgain(examination, first);
    await checkParallel(examination);
    await checkChangedAmount(examination);
  }
  await checkRefusal(examination);
  await checkStatement(examination);
  return { findings: examination.findings.all(), paid: examination.paid };
}
