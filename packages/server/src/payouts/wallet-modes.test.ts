/**
 * Tests the twenty ways in which a wallet fails (W1 to W20) against the wallet's own ledger file. No player is paid
 * twice, wrongly refused or left out, and unknown payouts are settled within ten minutes after the wallet has
 * recovered. The workers use the product's own schedule and patience, and test/time-leap.ts simulates the passing time.
 * `npm test` runs one setting of each kind with two payouts; `npm run prove -- wallet` runs all settings with 200
 * payouts. wallet-client.test.ts tests every answer, and payout-rules.test.ts tests the resulting states.
 */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { PayoutState } from "@red/contract/platform/codes";
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
import { afterAll, beforeEach, describe, expect, it } from "vitest";

const IS_PROOF = process.env["PROVE_N"] !== undefined;
const N = Number(process.env["PROVE_N"] ?? 2);
const SEED = Number(process.env["PROVE_SEED"] ?? 1);

const MINUTES_MAX = 10;
/** In the short form, a minute of trouble lasts only six seconds. */
const MINUTE_MS = IS_PROOF ? 60_000 : 6_000;
const TIMEOUT_MS = 1_800_000;
/** Simulated time step of a trouble with a fixed length. Tries happen about as often. */
const STEP_MS = 5_000;
const DAY_MS = 86_400_000;

/** An action of the test in addition to `control`. */
type WalletTrick = "callbacks" | "down" | "certificate" | "forgets";

interface WalletMode {
  readonly name: `W${number}`;
  readonly what: string;
  /** Settings of packages/fault-wallet/src/modes.ts. */
  readonly control: Readonly<Record<string, unknown>>;
  /**
   * End of the wallet's failure: `met` means when every payout has met the failure, and a number means after this
   * many minutes.
   */
  readonly until: "met" | number;
  /** Deadline of calls in ms, instead of the product's 10 s. */
  readonly deadlineMs?: number;
  readonly trick?: WalletTrick;
  /** Whether `npm test` also runs this setting, as the example of its kind. */
  readonly isShort?: true;
}

type More = Partial<Omit<WalletMode, "name" | "what" | "control">>;

/** Short deadline, because in these modes no answer ever comes. */
const SILENT: More = { deadlineMs: 400 };
const SHORT: More = { isShort: true };

function mode(
  name: WalletMode["name"],
  what: string,
  control: WalletMode["control"],
  more: More = {},
): WalletMode {
  // Unless a setting overrides `first`, only the first call of each payout fails.
  return { name, what, control: { first: 1, ...control }, until: "met", ...more };
}

const WALLET_MODES: readonly WalletMode[] = [
  mode("W1", "no answer, not paid", { mode: "hang" }, SILENT),
  mode("W1", "connection cut, not paid", { mode: "drop" }),
  mode("W2", "paid, no answer", { mode: "pay_then_hang" }, SILENT),
  mode("W2", "paid, connection cut", { mode: "pay_then_drop" }),
  mode("W3", "500, not paid", { mode: "error_500" }),
  mode("W4", "500 after paying", { mode: "pay_then_500" }),
  mode(
    "W4",
    "500 after paying, 500 when asked",
    { mode: "pay_then_500", on: "both", first: 4 },
    SHORT,
  ),
  mode("W5", "answers twice on a connection", { mode: "answer_twice", on: "both" }),
  mode(
    "W5",
    "says later, twice, what it processed",
    { mode: "processing", seconds: 20, callbacks: 2 },
    { ...SHORT, trick: "callbacks" },
  ),
  mode("W6", "paid, answers 1 s later", { mode: "late", seconds: 1 }),
  mode("W6", "pays 60 s later", { mode: "pay_later", seconds: 60 }, SILENT),
  mode("W6", "pays 10 min later", { mode: "pay_later", seconds: 600 }, SILENT),
  mode(
    "W7",
    "refuses connections for 1 h",
    { mode: "pay" },
    { ...SHORT, until: 60, trick: "down" },
  ),
  mode("W8", "blackhole for 10 min", { mode: "blackhole", first: null }, { ...SILENT, until: 10 }),
  mode("W9", "slow body", { mode: "slow_body", seconds: 0.05 }, SILENT),
  mode("W9", "paid, slow body", { mode: "pay_then_slow_body", seconds: 0.05 }, SILENT),
  mode("W9", "endless body", { mode: "endless_body" }),
  mode("W9", "paid, endless body", { mode: "pay_then_endless_body" }),
  mode("W10", "200 with HTML", { mode: "html_200" }),
  mode("W10", "paid, 200 with HTML", { mode: "pay_then_html" }),
  mode("W10", "JSON cut off", { mode: "truncated_json" }),
  mode("W10", "paid, JSON cut off", { mode: "pay_then_truncated_json" }),
  mode("W10", "paid, empty answer", { mode: "pay_then_empty_body" }),
  mode("W11", "200 with a business error", { mode: "business_error" }),
  mode("W11", "paid, 200 with a business error", { mode: "pay_then_business_error" }),
  mode(
    "W12",
    "429, Retry-After six hours",
    { mode: "rate_limited", seconds: 21_600, on: "both" },
    SHORT,
  ),
  mode("W13", "another number", { mode: "wrong_trans_sn" }),
  mode("W13", "paid, another number", { mode: "pay_then_wrong_trans_sn" }),
  mode("W13", "another amount", { mode: "wrong_amount" }),
  mode("W13", "paid, another amount", { mode: "pay_then_wrong_amount" }, SHORT),
  mode(
    "W14",
    "forgets its credits after 24 h",
    { mode: "pay_then_500", on: "both", first: null, forgets_after: 86_400 },
    { ...SHORT, trick: "forgets" },
  ),
  mode("W15", "duplicate, never paid", { mode: "claims_duplicate" }),
  mode(
    "W16",
    "expired certificate, then another host's",
    { mode: "pay" },
    { ...SHORT, trick: "certificate" },
  ),
  mode("W17", "redirect", { mode: "redirect" }),
  mode("W17", "paid, redirect", { mode: "pay_then_redirect" }),
  mode("W18", "not found for 60 s after paying", { mode: "not_found_for", seconds: 60 }),
  mode(
    "W19",
    "half of all calls cut for 30 min, paid",
    { mode: "pay_then_drop", odds: 0.5, on: "both", first: null },
    { until: 30 },
  ),
  mode(
    "W19",
    "half of all calls cut for 30 min, not paid",
    { mode: "drop", odds: 0.5, on: "both", first: null },
    { until: 30 },
  ),
  mode("W20", "its clock is ten minutes off", { mode: "skewed_clock", on: "both", first: 3 }),
];

/** The recorded outcome of a payout's first call in each mode. */
const HEARD: Readonly<Record<string, string>> = {
  hang: "unclear: timeout",
  pay_later: "unclear: timeout",
  slow_body: "unclear: timeout",
  drop: "unclear: connection ECONNRESET",
  not_found_for: "unclear: connection ECONNRESET",
  error_500: "unclear: status 500",
  500: "unclear: status 500",
  html_200: "unclear: not json",
  html: "unclear: not json",
  truncated_json: "unclear: not json",
  empty_body: "unclear: not json",
  endless_body: "unclear: too long",
  business_error: "unclear: no word",
  rate_limited: "unclear: status 429",
  wrong_trans_sn: "unclear: wrong trans_sn",
  wrong_amount: "unclear: wrong amount",
  claims_duplicate: "unclear: status 409",
  redirect: "unclear: status 302",
  skewed_clock: "unclear: status 401",
  processing: "processing",
  answer_twice: "paid",
  late: "paid",
};

/** Another possible outcome in a mode, because a second answer can reach the next call on the connection. */
const MAY_HEAR: Readonly<Record<string, string>> = {
  answer_twice: "unclear: wrong trans_sn",
};

const t = useTestDb();
const app = useTestApp(t);
const wallet = useFaultWallet();
const sealed = useFaultWallet("on");

interface Outcome {
  readonly mode: string;
  readonly what: string;
  readonly payouts: number;
  /** Number of calls to the wallet until the payouts were paid. */
  readonly calls: number;
  readonly credits: number;
  readonly twice: number;
  readonly wrongly_failed: number;
  readonly lost: number;
  readonly to_check: number;
  /** Minutes from the wallet's recovery to the last settlement. */
  readonly minutes: number;
}

const outcomes: Outcome[] = [];

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

/** Returns the payouts' results, with the credits from the wallet's ledger file. */
async function outcomeOf({ mode, by, made }: Run, minutes: number): Promise<Outcome> {
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
    // The wallet refuses in no setting, so every refusal is wrong.
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
  const one = await outcomeOf(run, (clock.passed() - healthyAt) / 60_000);
  outcomes.push(one);
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
    // A payout must meet the failure of its setting before it is paid.
    const rows = await t.sql<{ outcome: string }>`
      select distinct outcome from payout_attempt
      where no = 1 and log_id = any(${made.map(({ log_id }) => log_id)}::bigint[])`;
    const fault = String(mode.control["mode"]).replace(/^pay_then_/, "");
    expect(rows).toContainEqual({ outcome: HEARD[fault] });
    const others = rows.filter(({ outcome }) => outcome !== HEARD[fault]);
    expect(others.filter(({ outcome }) => outcome !== MAY_HEAR[fault])).toEqual([]);
  }
}

/** The wallet sends callbacks to the running application, as often as the setting requires. */
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

/** The wallet pays everything without an answer, and has forgotten the payouts when the product asks again. */
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

/** The worker runs in its own process, which trusts the wallet's certificate authority. */
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
      outcomes.reduce((total, one) => total + one[field], 0);
    const figures = {
      modes: new Set(outcomes.map((one) => one.mode)).size,
      settings: outcomes.length,
      payouts: sum("payouts"),
      calls: sum("calls"),
      credits: sum("credits"),
      paid_twice: sum("twice"),
      wrongly_failed: sum("wrongly_failed"),
      lost: sum("lost"),
      minutes_max: Math.max(...outcomes.map(({ minutes }) => minutes)),
    };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
  }
});

const SETTINGS = WALLET_MODES.filter(({ isShort }) => IS_PROOF || isShort === true);

describe("a wallet that goes wrong", () => {
  it.each(SETTINGS)("$name: $what", { timeout: TIMEOUT_MS }, async (mode) => {
    const run = await begin(mode, mode.trick === "certificate" ? sealed : wallet);
    await (mode.trick === undefined ? meet : TRICKS[mode.trick])(run);
    expect(outcomes.at(-1)).toMatchObject({ mode: mode.name, what: mode.what });
  });

  it("goes wrong in each of the twenty ways", () => {
    const names = Array.from({ length: 20 }, (_, index) => `W${index + 1}`);
    expect(new Set(WALLET_MODES.map(({ name }) => name))).toEqual(new Set(names));
  });
});
