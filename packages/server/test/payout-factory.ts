/** Payout workers with a faster clock, and checks of the money. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { PayoutState } from "@red/contract/platform/codes";
import { formatCents } from "@red/contract/platform/money";
import { PAYOUT_SCHEDULE } from "#payouts/payout-rules";
import type { PayoutSchedule } from "#payouts/payout-rules";
import type { CallRules } from "#payouts/take-due-calls";
import { WALLET_PATIENCE } from "#payouts/wallet-health";
import type { WalletPatience } from "#payouts/wallet-health";
import type { Db } from "#platform/db/connection";
import type { Database } from "#platform/db/schema";
import { startPayoutWorker } from "#payouts/payout-job";
import type { PayoutLimits, PayoutWorker, PayoutWorkerOptions } from "#payouts/payout-job";
import { endProcess } from "#test/entry-process";
import type { FaultWallet, WalletLedger } from "#test/fault-wallet";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import type { MadeRecord, RecordValues } from "#test/factories";
import { changeRows, rowOf } from "#test/rows";
import type { TestDb } from "#test/test-db";
import type { Updateable } from "kysely";
import { pino } from "pino";
import { onTestFinished } from "vitest";

const WORKER = fileURLToPath(new URL("./worker-process.ts", import.meta.url));

/** The schedule of behaviour §6, a hundred times faster except for leases: the machine may be busy. */
export const FAST_SCHEDULE: PayoutSchedule = {
  leaseMs: 20_000,
  askAfterMs: [20, 50, 150, 600],
  askEveryMs: 300,
  neverSeenGapMs: 300,
  checkAfterMs: 864_000,
  retentionMs: 86_400_000,
};

export const FAST_LIMITS: Partial<PayoutLimits> = {
  callDeadlineMs: 20_000,
  stopWaitMs: 500,
};

/** A hundred times less patience, except for tries: the machine may be busy. */
export const FAST_PATIENCE: WalletPatience = {
  troublesMax: 10,
  troubleAfterMs: 100,
  tryMs: 10,
  tryMsMax: 100,
  tryHoldMs: 15_000,
  retryAfterMsMax: 3_000,
  longTroubleMs: 100,
};

/** Records of one player in a new round. */
export async function makeMany(db: Db, count: number, values: RecordValues = {}) {
  const all = Array.from({ length: count }, () => values);
  return await makeRecords(db, await makeRound(db), await makePlayer(db), all);
}

export async function payoutOf(db: Db, { log_id }: MadeRecord) {
  return await rowOf(db, "payout", { log_id });
}

/** Changes a payout directly, in ways that no call allows. */
export async function setPayout(
  db: Db,
  { log_id }: MadeRecord,
  values: Updateable<Database["payout"]>,
): Promise<void> {
  await db.updateTable("payout").set(values).where("log_id", "=", log_id).execute();
}

/** Rules for tests that call `takeDueCalls` themselves. */
export function callRules(values: Partial<CallRules> = {}): CallRules {
  return {
    schedule: PAYOUT_SCHEDULE,
    patience: WALLET_PATIENCE,
    wallet: "test",
    perSecond: null,
    timeZone: "Asia/Shanghai",
    ...values,
  };
}

export async function startTestWorker(
  t: TestDb,
  wallet: FaultWallet,
  more: {
    readonly schedule?: Partial<PayoutSchedule>;
    readonly limits?: Partial<PayoutLimits>;
    readonly patience?: Partial<WalletPatience>;
    readonly perSecond?: number;
  } = {},
): Promise<PayoutWorker> {
  const worker = await startPayoutWorker({
    db: t.db,
    connection: t.connection,
    wallet: wallet.access,
    timeZone: "Asia/Shanghai",
    log: pino({ level: "silent" }),
    schedule: { ...FAST_SCHEDULE, ...more.schedule },
    patience: { ...FAST_PATIENCE, ...more.patience },
    perSecond: more.perSecond ?? null,
    limits: { ...FAST_LIMITS, ...more.limits },
  });
  onTestFinished(() => worker.stop());
  return worker;
}

/** Starts a worker as a process and waits until it is ready. Returns a function that kills it (SIGKILL); the end of the test kills it too. */
export async function startWorkerProcess(
  t: TestDb,
  wallet: FaultWallet,
  how: Pick<PayoutWorkerOptions, "schedule" | "patience" | "limits">,
  environment: Readonly<Record<string, string>> = {},
): Promise<() => Promise<void>> {
  const options = JSON.stringify({ connection: t.connection, wallet: wallet.access, ...how });
  const child = spawn(process.execPath, ["--import", "tsx", WORKER, options], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment },
  });
  const kill = () => endProcess(child);
  onTestFinished(kill);
  await once(child.stdout, "data");
  return kill;
}

/** Deletes the wallet's recorded health, and puts all left payouts off to 2100. */
export async function putOffPayouts(db: Db): Promise<void> {
  await db.deleteFrom("wallet_health").execute();
  await changeRows(db, "payout", {}, { next_at: new Date("2100-01-01") });
}

export async function statesOf(db: Db, made: readonly MadeRecord[]): Promise<PayoutState[]> {
  const rows = await db.selectFrom("payout").select(["log_id", "state"]).execute();
  const states = new Map(rows.map((row) => [row.log_id, row.state]));
  return made.map(({ log_id }) => states.get(log_id) ?? "closed");
}

/** Waits until `check` holds; long, because the machine may be busy. `what` describes it for the error. */
export async function until(what: string, check: () => Promise<boolean>, patienceMs = 90_000) {
  const end = Date.now() + patienceMs;
  while (!(await check())) {
    if (Date.now() > end) {
      throw new Error(`it did not come about: ${what}`);
    }
    await sleep(20);
  }
}

/** Waits until each payout has one of the states. */
export async function untilStates(
  db: Db,
  made: readonly MadeRecord[],
  ...wanted: readonly PayoutState[]
): Promise<void> {
  await until(`all payouts ${wanted.join(" or ")}`, async () =>
    (await statesOf(db, made)).every((state) => wanted.includes(state)),
  );
}

/** The entries of the wallet's ledger about these payouts. */
export async function ledgerOf(wallet: FaultWallet, made: readonly MadeRecord[]) {
  const { attempts, credits } = await wallet.ledger();
  const numbers = new Set(made.map(({ trans_sn }) => trans_sn));
  return {
    attempts: attempts.filter(({ trans_sn }) => numbers.has(trans_sn ?? "")),
    credits: credits.filter(({ trans_sn }) => numbers.has(trans_sn)),
  };
}

/**
 * Contradictions with the wallet's ledger (behaviour §6): paid needs a credit, refused needs none; no
 * credit is double, of a wrong amount, player or round, or without a draw; no rule of the wallet is broken.
 * Only about `made`, when given.
 */
export async function moneyFaults(db: Db, ledger: WalletLedger, made?: readonly MadeRecord[]) {
  const meant = made && new Set(made.map(({ trans_sn }) => trans_sn));
  const isMeant = ({ trans_sn }: { readonly trans_sn: string }) => meant?.has(trans_sn) ?? true;
  const all = await db
    .selectFrom("payout as p")
    .innerJoin("draw_record as r", "r.id", "p.log_id")
    .innerJoin("player as y", "y.player_key", "p.player_key")
    .select(["p.trans_sn", "p.state", "r.award_price_cents", "y.player_id", "p.turnover"])
    .select(["p.red_code", "p.rounds_id"])
    .execute();
  const payouts = all.filter(isMeant);
  const due = new Map(
    payouts.map(({ trans_sn, player_id, award_price_cents, turnover, red_code, rounds_id }) => [
      trans_sn,
      [player_id, formatCents(award_price_cents), turnover, red_code, rounds_id].join(" "),
    ]),
  );
  const credited = new Set<string>();
  const faults = ledger.violations.map(({ rule, detail }) => `${rule}: ${detail}`);
  for (const { trans_sn, ...rest } of ledger.credits.filter(isMeant)) {
    const { player_id, amount, turnover, red_code, rounds_id } = rest;
    const credit = [player_id, amount, turnover, red_code, rounds_id].join(" ");
    if (credited.has(trans_sn)) {
      faults.push(`${trans_sn} was credited twice`);
    }
    if (due.get(trans_sn) !== credit) {
      faults.push(`${trans_sn} was credited ${credit} instead of ${due.get(trans_sn)}`);
    }
    credited.add(trans_sn);
  }
  for (const { trans_sn, state } of payouts) {
    if (state === "paid" && !credited.has(trans_sn)) {
      faults.push(`${trans_sn} is paid and was not credited`);
    }
    if ((state === "refused" || state === "closed") && credited.has(trans_sn)) {
      faults.push(`${trans_sn} is ${state} and was credited`);
    }
  }
  return faults;
}

export async function attemptsOf(db: Db, log_id: number): Promise<string[]> {
  const rows = await db
    .selectFrom("payout_attempt")
    .select(["kind", "outcome"])
    .where("log_id", "=", log_id)
    .orderBy("no")
    .execute();
  return rows.map(({ kind, outcome }) => `${kind} ${outcome}`);
}
