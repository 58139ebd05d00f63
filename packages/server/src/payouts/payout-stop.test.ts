/** Stopped payouts: calls in flight end, nothing more is sent (behaviour §6). */
import { setTimeout as sleep } from "node:timers/promises";
import { setStopSwitch, startAgain } from "#rounds/stop-switches";
import { reissueRecords } from "./change-records.ts";
import { takeDueCalls } from "./take-due-calls.ts";
import { inTransaction } from "#platform/connection";
import { OPERATOR } from "#test/activity-factory";
import { useFaultWallet } from "#test/fault-wallet";
import {
  attemptsOf,
  callRules,
  FAST_SCHEDULE,
  moneyFaults,
  startTestWorker,
  statesOf,
  untilStates,
  makeMany,
  putOffPayouts,
} from "#test/payout-factory";
import { hold, untilWaiting } from "#test/races";
import { useTestDb } from "#test/test-db";
import { beforeEach, expect, test } from "vitest";

const t = useTestDb();
const wallet = useFaultWallet();

const stop = () =>
  inTransaction(t.db, (tx) => setStopSwitch(tx, OPERATOR, { name: "payouts" }, null));

const start = () => inTransaction(t.db, (tx) => startAgain(tx, OPERATOR, { name: "payouts" }));

async function payCalls(): Promise<number> {
  const { attempts } = await wallet.ledger();
  return attempts.filter(({ call }) => call === "pay").length;
}

beforeEach(async () => {
  await wallet.control({ mode: "pay" });
  await t.db.deleteFrom("stop_switch").execute();
  await putOffPayouts(t.db);
});

test("queued payouts and re-issued ones wait, and are paid once after the start", async () => {
  const refused = await makeMany(t.db, 5, { state: "refused" });
  await stop();
  const queued = await makeMany(t.db, 40);
  const worker = await startTestWorker(t, wallet);
  const before = await payCalls();
  await inTransaction(t.db, (tx) =>
    reissueRecords(
      tx,
      OPERATOR,
      refused.map(({ log_id }) => log_id),
      FAST_SCHEDULE.retentionMs,
    ),
  );
  await worker.idle();
  expect(new Set(await statesOf(t.db, [...queued, ...refused]))).toEqual(new Set(["queued"]));
  expect(await payCalls()).toBe(before);
  await start();
  await untilStates(t.db, [...queued, ...refused], "paid");
  expect(await moneyFaults(t.db, await wallet.ledger())).toEqual([]);
  expect(await payCalls()).toBe(before + 45);
});

test("calls in flight end and are settled; nothing is claimed for sending after the answer", async () => {
  const made = await makeMany(t.db, 200);
  const worker = await startTestWorker(t, wallet, { limits: { callsInFlight: 8 } });
  await untilStates(t.db, made.slice(0, 8), "paid", "sending");
  await stop();
  const claimed = await t.db
    .selectFrom("payout_attempt")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  await worker.idle();
  const states = await statesOf(t.db, made);
  expect(new Set(states)).toEqual(new Set(["paid", "queued"]));
  const attempts = await t.db
    .selectFrom("payout_attempt")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  expect(attempts).toEqual(claimed);
  expect(await moneyFaults(t.db, await wallet.ledger())).toEqual([]);
});

test("the stop waits for a claim in flight, and the next claim sees it", async () => {
  const made = await makeMany(t.db, 4);
  const claim = await hold(t.db, (tx) => takeDueCalls(tx, 2, callRules()));
  let isAnswered = false;
  const stopping = stop().then(() => {
    isAnswered = true;
    return null;
  });
  await untilWaiting(t.db);
  expect(isAnswered).toBe(false);
  await claim.commit();
  await stopping;
  expect(claim.result.calls).toHaveLength(2);
  const next = await inTransaction(t.db, (tx) => takeDueCalls(tx, 10, callRules()));
  expect(next.calls).toEqual([]);
  expect((await statesOf(t.db, made)).filter((state) => state === "queued")).toHaveLength(2);
});

test('unknown payouts are queried meanwhile; "never seen" ones wait to be sent again', async () => {
  const since = new Date(Date.now() - 1_000);
  const unknown = { state: "unknown", payout: { unknown_since: since } } as const;
  const [never] = await makeMany(t.db, 1, unknown);
  if (never === undefined) {
    throw new Error("nothing was made");
  }
  await stop();
  const before = await payCalls();
  await startTestWorker(t, wallet);
  await untilStates(t.db, [never], "queued");
  await sleep(300);
  expect(await statesOf(t.db, [never])).toEqual(["queued"]);
  expect(await payCalls()).toBe(before);
  expect(new Set(await attemptsOf(t.db, never.log_id))).toEqual(new Set(["query never_seen"]));
  await start();
  await untilStates(t.db, [never], "paid");
});
