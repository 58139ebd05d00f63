/**
 * Plays payouts against a wallet and finds out which rules it breaks (docs/integration.md). It pays
 * real, tiny amounts to a player that the wallet's people name.
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
 * Examines the wallet and answers one finding per rule. Throws when it cannot be reached or does not
 * take our signature: then there is nothing to be found out.
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
      // Each further call would be waited for as long, and say as little.
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
