/** The test that must catch each planted fault; the patches are in this folder. */

export interface Catch {
  /** Name of the patch, without its extension. */
  readonly fault: string;
  readonly project: "contract" | "engine" | "server";
  /** Path from the root. */
  readonly file: string;
  /** Runs only tests with these words in their name, where the file takes long. */
  readonly test?: string;
}

const SERVER = "packages/server/src";

function server(fault: string, file: string, test?: string): Catch {
  const named = test === undefined ? {} : { test };
  return { fault, project: "server", file: `${SERVER}/${file}`, ...named };
}

export const CATCHES: readonly Catch[] = [
  server("01-new-key-per-attempt", "payouts/payout-job.test.ts", "denies for a while"),
  server("02-timeout-is-a-refusal", "payouts/wallet-client.test.ts"),
  server("03-status-500-is-a-refusal", "payouts/wallet-client.test.ts"),
  server("04-never-seen-means-a-new-number", "payouts/payout-job.test.ts", "denies for a while"),
  server("05-unique-chance-dropped", "draws/draw-queue.test.ts"),
  server("06-stock-check-dropped", "pools/prize-races.test.ts"),
  server("07-stock-read-then-written", "draws/draw-races.test.ts"),
  {
    fault: "08-ticket-map-one-too-far",
    project: "engine",
    file: "packages/engine/src/draw.test.ts",
  },
  server("09-modulo-bias", "draws/draw.test.ts", "tickets are uniform"),
  server(
    "10-price-read-again-at-payout",
    "payouts/payout-job.test.ts",
    "is asked once for each payout",
  ),
  server("11-status-set-before-the-call", "payouts/payout-job.test.ts", "refused, with its reason"),
  server("12-answered-before-the-commit", "draws/draw-queue.test.ts", "once each is answered"),
  server("13-lease-without-fence", "payouts/settle-payouts.test.ts"),
  server("14-expiry-by-the-servers-clock", "chances/chance-sql.test.ts"),
  {
    fault: "15-times-in-the-servers-zone",
    project: "contract",
    file: "packages/contract/src/platform/datetime.test.ts",
  },
  server("16-last-second-left-out", "draws/draw-queue.test.ts"),
  {
    fault: "17-sums-in-floating-point",
    project: "engine",
    file: "packages/engine/src/chances.test.ts",
  },
  server("18-batch-ends-at-its-first-error", "draws/draw.test.ts"),
  server("19-batches-claim-the-same", "payouts/change-records.test.ts"),
  server("20-commit-without-standby-is-done", "platform/db/connection.test.ts"),
  server("21-redirect-followed", "payouts/wallet-client.test.ts"),
  server("22-wallet-in-trouble-called-without-bound", "payouts/record-wallet-health.test.ts"),
  server("23-reissue-of-what-may-be-paid", "payouts/change-records.test.ts"),
  server("24-audit-outside-the-transaction", "contract-audit.test.ts", "cannot be written"),
  server("25-extra-time-used-twice", "draws/draw-queue.test.ts", "one of two rounds"),
  server("26-half-a-signature", "identity/signing-vectors.test.ts"),
  server("27-signed-without-prizes", "finance/round-sheet.test.ts"),
  server("28-signed-without-the-wallet", "finance/round-sheet.test.ts"),
  server("29-token-in-the-slow-log", "identity/ticket.test.ts", "no line of the log"),
  server("30-reconciliation-forgets-earlier-days", "finance/sheet.test.ts"),
  server("31-ticket-of-three-filters", "identity/ticket.test.ts", "a ticket"),
  server("32-later-paid-over-a-refusal-counts", "payouts/payout-rules.test.ts"),
  server("33-wrong-code-lets-through", "pools/guard.test.ts"),
  server("34-shortest-exclusion-counts", "players/exclusion.test.ts", "draws from"),
  server("35-last-second-of-an-exclusion-pays", "players/exclusion.test.ts", "draws from"),
  server("36-dearer-than-was-shown", "approvals/side-doors.test.ts", "a cent more"),
  server("37-code-counts-as-an-approval", "approvals/risked.test.ts"),
  server("38-valued-after-the-change", "pools/value-change.test.ts"),
  server("39-one-pool-of-two-is-valued", "pools/value-change.test.ts", "two pools"),
  server("40-splits-are-not-added", "approvals/risked.test.ts"),
  server("41-goods-cost-nothing", "pools/value-change.test.ts", "goods"),
];
