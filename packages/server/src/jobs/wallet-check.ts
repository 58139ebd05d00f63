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
} from "#jobs/wallet-check-paying";
import { checkNeverPaid, checkSignature, checkTimestamp } from "#jobs/wallet-check-signing";
import { checkStatement } from "#jobs/wallet-check-statement";
import type { WalletAccess } from "#jobs/wallet-client";
import type { Examination, PaidPayout, WalletCheckOptions } from "#jobs/wallet-examination";
import { createFindings } from "#jobs/wallet-findings";
import type { RuleFinding } from "#jobs/wallet-findings";
import { walletProbe } from "#jobs/wallet-probe";

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
