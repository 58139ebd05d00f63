/**
 * Workers killed (SIGKILL) between sending a payout and writing down what became of it, with the product's own lease
 * and schedule: the next worker settles everything within a minute, one credit each by the wallet's ledger.
 * Only `npm run prove -- resume` plays it; `npm test` kills workers in e2e/outside/kill.ts.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { PAYOUT_SCHEDULE } from "./payout-rules.ts";
import { WALLET_PATIENCE } from "./wallet-rules.ts";
import { useFaultWallet } from "#test/fault-wallet";
import {
  ledgerOf,
  makeMany,
  moneyFaults,
  startTestWorker,
  startWorkerProcess,
  statesOf,
  until,
} from "#test/payout-factory";
import { useTestDb } from "#test/test-db";
import { afterAll, beforeEach, expect, it } from "vitest";

const KILLS = Number(process.env["PROVE_N"]);
/** Killed together, as by a failure of the machine. */
const VICTIMS = 5;
const PAYOUTS = VICTIMS * 10;
const SETTLED_S_MAX = 60;

const HOW = {
  schedule: PAYOUT_SCHEDULE,
  patience: WALLET_PATIENCE,
  // Few enough that several workers share the payouts.
  limits: { callsInFlight: 10, callDeadlineMs: 10_000 },
};

/** The wallet's progress when the workers die. */
const MOMENTS = [
  { name: "sent, the wallet has not paid yet", control: { mode: "hang", first: 1 } },
  { name: "paid, no answer yet", control: { mode: "pay_then_hang", first: 1 } },
  { name: "answers on their way", control: { mode: "late", seconds: 0.3, first: 1 } },
] as const;

const t = useTestDb();
const wallet = useFaultWallet();

const told: {
  moment: string;
  kills: number;
  payouts: number;
  held: number;
  credits: number;
  seconds: number;
}[] = [];

beforeEach(async () => {
  await t.db.deleteFrom("wallet_health").execute();
});

afterAll(() => {
  const sum = (field: "kills" | "payouts" | "held" | "credits") =>
    told.reduce((total, one) => total + one[field], 0);
  const figures = {
    kills: sum("kills"),
    payouts: sum("payouts"),
    held_when_killed: sum("held"),
    credits: sum("credits"),
    seconds_max: Math.max(...told.map(({ seconds }) => seconds)),
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
});

const rounds = Array.from({ length: Math.ceil(KILLS / VICTIMS) }, (_, at) => ({
  ...(MOMENTS[at % MOMENTS.length] ?? MOMENTS[0]),
  round: at + 1,
}));

it.each(rounds)("round $round, $name", { timeout: 600_000 }, async ({ name, control, round }) => {
  const victims = await Promise.all(
    Array.from({ length: VICTIMS }, () => startWorkerProcess(t, wallet, HOW)),
  );
  await wallet.control(control);
  const made = await makeMany(t.db, PAYOUTS);
  await until("all sent", async () => {
    const { attempts } = await ledgerOf(wallet, made);
    return attempts.filter(({ call }) => call === "pay").length >= PAYOUTS;
  });
  // Late answers come after 300 ms, so that only some are recorded.
  await sleep(control.mode === "late" ? 240 + ((round * 37) % 120) : 0);
  await Promise.all(victims.map((kill) => kill()));
  const killedAt = performance.now();
  const held = (await statesOf(t.db, made)).filter((state) => state === "sending").length;
  await startTestWorker(t, wallet, HOW);
  await until(
    "all paid",
    async () => (await statesOf(t.db, made)).every((state) => state === "paid"),
    300_000,
  );
  const seconds = Math.round((performance.now() - killedAt) / 100) / 10;
  const credits = (await ledgerOf(wallet, made)).credits.length;
  const one = { moment: name, kills: VICTIMS, payouts: PAYOUTS, held, credits, seconds };
  told.push(one);
  process.stdout.write(`${JSON.stringify(one)}\n`);
  expect(await moneyFaults(t.db, await wallet.ledger(), made)).toEqual([]);
  expect(credits).toBe(PAYOUTS);
  expect(control.mode === "late" ? PAYOUTS : held).toBe(PAYOUTS);
  expect(seconds).toBeLessThanOrEqual(SETTLED_S_MAX);
});
