/**
 * The twenty ways in which a wallet goes wrong, by its own ledger file: nobody is paid twice, nobody is wrongly
 * failed, nobody is forgotten, and what was unknown is settled within ten minutes of the wallet's health.
 * The workers keep the product's own schedule and patience; test/time-leap.ts lets the time pass. Two payouts
 * meet each setting, and 200 with `npm run prove -- wallet`.
 */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { PayoutState } from "@red/contract/platform/lookups";
import { PAYOUT_SCHEDULE, scheduleFor } from "./payout-rules.ts";
import { WALLET_PATIENCE } from "./wallet-health.ts";
import type { MadeRecord } from "#test/factories";
import { startCallbacks, useFaultWallet } from "#test/fault-wallet";
import type { FaultWallet } from "#test/fault-wallet";
import { makeFolder } from "#test/folder";
import {
  ledgerOf,
  makeMany,
  moneyFaults,
  startTestWorker,
  startWorkerProcess,
  putOffPayouts,
} from "#test/payout-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { leapingClock } from "#test/time-leap";
import type { LeapingClock } from "#test/time-leap";
import { HEARD, MAY_HEAR, WALLET_MODES } from "#test/wallet-modes";
import type { WalletMode, WalletTrick } from "#test/wallet-modes";
import { afterAll, beforeEach, describe, expect, it } from "vitest";

const IS_PROOF = process.env["PROVE_N"] !== undefined;
const N = Number(process.env["PROVE_N"] ?? 2);
/** Seed of a wallet that fails at random. */
const SEED = Number(process.env["PROVE_SEED"] ?? 1);

const MINUTES_MAX = 10;
/** In the short form a minute of trouble is six seconds. */
const MINUTE_MS = IS_PROOF ? 60_000 : 6_000;
const TIMEOUT_MS = 1_800_000;
/** Simulated step of a trouble that lasts for a given time; tries are about as frequent. */
const STEP_MS = 5_000;
const DAY_MS = 86_400_000;

const t = useTestDb();
const app = useTestApp(t);
const wallet = useFaultWallet();
const sealed = useFaultWallet("on");

interface Told {
  readonly mode: string;
  readonly what: string;
  readonly payouts: number;
  /** Calls to the wallet to pay them. */
  readonly calls: number;
  readonly credits: number;
  readonly twice: number;
  readonly wrongly_failed: number;
  readonly lost: number;
  readonly to_check: number;
  /** From the wallet's recovery to the last settlement. */
  readonly minutes: number;
}

const told: Told[] = [];

interface Run {
  readonly mode: WalletMode;
  readonly by: FaultWallet;
  readonly made: readonly MadeRecord[];
  readonly clock: LeapingClock;
}

async function begin(mode: WalletMode, by: FaultWallet = wallet): Promise<Run> {
  const made = await makeMany(t.db, N);
  return { mode, by, made, clock: leapingClock(t.db, (ms) => by.leap(ms)) };
}

function options(mode: WalletMode) {
  const limits = { callDeadlineMs: mode.deadlineMs ?? 10_000 };
  return { schedule: PAYOUT_SCHEDULE, patience: WALLET_PATIENCE, limits };
}

async function startWorkers({ mode }: Run, schedule = PAYOUT_SCHEDULE) {
  const how = { ...options(mode), schedule };
  const workers = await Promise.all([
    startTestWorker(t, wallet, how),
    startTestWorker(t, wallet, how),
  ]);
  return () => Promise.all(workers.map((worker) => worker.stop()));
}

async function countOutside({ made }: Run, states: readonly PayoutState[]): Promise<number> {
  const rows = await t.sql<{ count: number }>`
    select count(*) from payout
    where log_id = any(${made.map(({ log_id }) => log_id)}::bigint[])
      and not state = any(${[...states]}::text[])`;
  return rows[0]?.count ?? made.length;
}

/** The payouts' results, with credits from the wallet's ledger file. */
async function tell({ mode, by, made }: Run, minutes: number): Promise<Told> {
  const { credits, attempts } = await ledgerOf(by, made);
  const credited = new Set(credits.map(({ trans_sn }) => trans_sn));
  const rows = await t.sql<{ trans_sn: string; state: PayoutState; refusals: number }>`
    select p.trans_sn, p.state, (select count(*) from payout_attempt a
      where a.log_id = p.log_id and a.outcome like 'refused%') as refusals
    from payout p where p.log_id = any(${made.map(({ log_id }) => log_id)}::bigint[])`;
  const isFailed = (state: PayoutState) => state === "refused" || state === "closed";
  return {
    mode: mode.name,
    what: mode.what,
    payouts: made.length,
    calls: attempts.filter(({ call }) => call === "pay").length,
    credits: credits.length,
    twice: credits.length - credited.size,
    // No setting ever refuses.
    wrongly_failed: rows.filter((row) => row.refusals > 0 || isFailed(row.state)).length,
    lost: rows.filter(({ trans_sn }) => !credited.has(trans_sn)).length,
    to_check: rows.filter(({ state }) => state === "check").length,
    minutes: Math.round((minutes + Number.EPSILON) * 100) / 100,
  };
}

/** Waits until the payouts of the recovered wallet are settled, and checks their results. */
async function expectSettled(run: Run, healthyAt: number, state: PayoutState = "paid") {
  const { by, made, clock } = run;
  await clock.passUntil(
    `all ${state}`,
    async () => (await countOutside(run, [state])) === 0,
    TIMEOUT_MS / 2,
  );
  const one = await tell(run, (clock.passed() - healthyAt) / 60_000);
  told.push(one);
  if (IS_PROOF) {
    process.stdout.write(`${JSON.stringify(one)}\n`);
  }
  expect(one).toMatchObject({ credits: made.length, twice: 0, wrongly_failed: 0, lost: 0 });
  expect(one.to_check).toBe(state === "check" ? made.length : 0);
  expect(await moneyFaults(t.db, await by.ledger(), made)).toEqual([]);
  expect(one.minutes).toBeLessThanOrEqual(MINUTES_MAX);
}

async function meet(run: Run): Promise<void> {
  const { mode, made, clock } = run;
  await wallet.control({ seed: SEED, ...mode.control });
  await startWorkers(run);
  if (mode.until === "met") {
    await clock.passUntil("all met", async () => (await wallet.met()) === N, TIMEOUT_MS / 2);
  } else {
    await clock.pass(mode.until * MINUTE_MS, STEP_MS);
  }
  await wallet.control({ mode: "pay" });
  expect(made).toHaveLength(N);
  await expectSettled(run, clock.passed());
  if (mode.until === "met") {
    // A payout must meet its setting's fault before it is paid.
    const rows = await t.sql<{ outcome: string }>`
      select distinct outcome from payout_attempt
      where no = 1 and log_id = any(${made.map(({ log_id }) => log_id)}::bigint[])`;
    const fault = String(mode.control["mode"]).replace(/^pay_then_/, "");
    expect(rows).toContainEqual({ outcome: HEARD[fault] });
    const others = rows.filter(({ outcome }) => outcome !== HEARD[fault]);
    expect(others.filter(({ outcome }) => outcome !== MAY_HEAR[fault])).toEqual([]);
  }
}

/** The wallet sends callbacks to the running application, as often as the setting says. */
async function meetCallbacks(run: Run): Promise<void> {
  await startCallbacks(app, wallet);
  await meet(run);
}

async function meetDown(run: Run): Promise<void> {
  await wallet.kill();
  try {
    await startWorkers(run);
    await run.clock.pass(Number(run.mode.until) * MINUTE_MS, STEP_MS);
  } finally {
    await wallet.start();
  }
  await expectSettled(run, run.clock.passed());
}

/** All is paid without an answer, and the wallet has forgotten it when the product returns. */
async function meetForgetting(run: Run): Promise<void> {
  const { mode, clock, made } = run;
  await wallet.control({ ...mode.control, forgets_after: null });
  const stop = await startWorkers(run, scheduleFor(1));
  const areCredited = async () => (await ledgerOf(wallet, made)).credits.length >= N;
  await clock.passUntil("all credited", areCredited, TIMEOUT_MS / 2);
  await stop();
  await clock.leap(DAY_MS + 3_600_000);
  await wallet.control({ mode: "pay", forgets_after: 86_400 });
  await startWorkers(run, scheduleFor(1));
  await expectSettled(run, clock.passed(), "check");
}

/** The worker is its own process, which trusts the wallet's authority. */
async function meetCertificates(run: Run): Promise<void> {
  const file = path.join(makeFolder(), "authority.pem");
  await writeFile(file, await sealed.authority());
  await sealed.control({ mode: "pay", certificate: "expired" });
  await startWorkerProcess(t, sealed, options(run.mode), { NODE_EXTRA_CA_CERTS: file });
  const untilSeen = (why: string) =>
    run.clock.passUntil(
      why,
      async () => {
        const seen = t.db.selectFrom("payout_attempt").select("no").where("outcome", "=", why);
        return (await seen.limit(1).execute()).length > 0;
      },
      TIMEOUT_MS / 2,
    );
  await untilSeen("unclear: connection CERT_HAS_EXPIRED");
  await run.clock.pass(5 * MINUTE_MS, STEP_MS);
  await sealed.control({ mode: "pay", certificate: "other_host" });
  await untilSeen("unclear: connection ERR_TLS_CERT_ALTNAME_INVALID");
  await run.clock.pass(5 * MINUTE_MS, STEP_MS);
  expect((await sealed.ledger()).attempts).toEqual([]);
  await sealed.control({ mode: "pay", certificate: "good" });
  await expectSettled(run, run.clock.passed());
}

const TRICKS: Readonly<Record<WalletTrick, (run: Run) => Promise<void>>> = {
  callbacks: meetCallbacks,
  down: meetDown,
  certificate: meetCertificates,
  forgets: meetForgetting,
};

beforeEach(async () => {
  await wallet.control({ mode: "pay" });
  await putOffPayouts(t.db);
});

afterAll(() => {
  if (IS_PROOF) {
    const sum = (field: "payouts" | "calls" | "credits" | "twice" | "wrongly_failed" | "lost") =>
      told.reduce((total, one) => total + one[field], 0);
    const figures = {
      modes: new Set(told.map((one) => one.mode)).size,
      settings: told.length,
      payouts: sum("payouts"),
      calls: sum("calls"),
      credits: sum("credits"),
      paid_twice: sum("twice"),
      wrongly_failed: sum("wrongly_failed"),
      lost: sum("lost"),
      minutes_max: Math.max(...told.map(({ minutes }) => minutes)),
    };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
  }
});

/** In `npm test` the last setting of each way: it pays before it goes wrong, where the way has that. */
const SETTINGS = WALLET_MODES.filter(
  ({ name }, at) => IS_PROOF || WALLET_MODES.findLastIndex((one) => one.name === name) === at,
);

describe("a wallet that goes wrong", () => {
  it.each(SETTINGS)("$name: $what", { timeout: TIMEOUT_MS }, async (mode) => {
    const run = await begin(mode, mode.trick === "certificate" ? sealed : wallet);
    await (mode.trick === undefined ? meet : TRICKS[mode.trick])(run);
    expect(told.at(-1)).toMatchObject({ mode: mode.name, what: mode.what });
  });

  it("goes wrong in each of the twenty ways", () => {
    const names = Array.from({ length: 20 }, (_, index) => `W${index + 1}`);
    expect(new Set(SETTINGS.map(({ name }) => name))).toEqual(new Set(names));
  });
});
