/** Workers side by side, stopped, and without their database; killed ones are in payout-kill.test.ts. */
import { setTimeout as sleep } from "node:timers/promises";
import { inTransaction } from "#platform/connection";
import { notifyPayoutWorkers } from "#platform/listen";
import { makeRecord } from "#test/factories";
import { useFaultWallet } from "#test/fault-wallet";
import {
  attemptsOf,
  moneyFaults,
  FAST_LIMITS,
  FAST_SCHEDULE,
  startTestWorker,
  statesOf,
  until,
  untilStates,
  makeMany,
  putOffPayouts,
} from "#test/payout-factory";
import { startWorkerProcess } from "#test/payout-process";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";

const t = useTestDb();
const wallet = useFaultWallet();

/** Of workers that are killed here. */
const LEASE_MS = 1_500;

function startProcess(leaseMs = FAST_SCHEDULE.leaseMs): Promise<() => Promise<void>> {
  const schedule = { ...FAST_SCHEDULE, leaseMs };
  return startWorkerProcess(t, wallet, { schedule, limits: FAST_LIMITS });
}

beforeEach(async () => {
  await wallet.control({ mode: "pay" });
  await putOffPayouts(t.db);
});

describe("workers side by side", () => {
  it("send each payout once, from one process and from two", async () => {
    const made = await makeMany(t.db, 400);
    await Promise.all([startProcess(), startTestWorker(t, wallet), startTestWorker(t, wallet)]);
    await untilStates(t.db, made, "paid");
    const { attempts } = await wallet.ledger();
    const numbers = new Set(made.map(({ trans_sn }) => trans_sn));
    expect(attempts.filter(({ trans_sn }) => numbers.has(trans_sn ?? ""))).toHaveLength(400);
    expect(await moneyFaults(t.db, await wallet.ledger())).toEqual([]);
  });

  it("do not take over a call that takes longer than a lease", async () => {
    await wallet.control({ mode: "late", seconds: 6 });
    const made = await makeMany(t.db, 5);
    // Time to renew a lease three times, on a busy machine.
    const slow = { schedule: { leaseMs: 2_000 } };
    await startTestWorker(t, wallet, slow);
    await startTestWorker(t, wallet, slow);
    await untilStates(t.db, made, "paid");
    for (const { log_id } of made) {
      expect(await attemptsOf(t.db, log_id)).toEqual(["pay paid"]);
    }
  });
});

describe("a worker that is stopped", () => {
  it("waits for its calls and claims no more", async () => {
    await wallet.control({ mode: "late", seconds: 0.2 });
    // More than are paid before the test notices the first ones.
    const made = await makeMany(t.db, 500);
    const worker = await startTestWorker(t, wallet, {
      limits: { callsInFlight: 10, stopWaitMs: 20_000 },
    });
    await until("calls in flight", async () => (await statesOf(t.db, made)).includes("sending"));
    await worker.stop();
    const states = await statesOf(t.db, made);
    expect(states).not.toContain("sending");
    expect(states).not.toContain("unknown");
    expect(states).toContain("paid");
    expect(states).toContain("queued");
    expect(await moneyFaults(t.db, await wallet.ledger())).toEqual([]);
  });

  it("aborts calls that do not end, and leaves them to be queried", async () => {
    await wallet.control({ mode: "pay_then_hang" });
    const made = await makeMany(t.db, 10);
    const limits = { callDeadlineMs: 60_000, stopWaitMs: 200 };
    const worker = await startTestWorker(t, wallet, { limits });
    await until("calls in flight", async () =>
      (await statesOf(t.db, made)).every((state) => state === "sending"),
    );
    const start = Date.now();
    await Promise.all([worker.stop(), worker.stop(), worker.idle()]);
    expect(Date.now() - start).toBeLessThan(limits.callDeadlineMs / 2);
    expect(new Set(await statesOf(t.db, made))).toEqual(new Set(["unknown"]));
    expect(await attemptsOf(t.db, made[0]?.log_id ?? 0)).toEqual(["pay unclear: stopped"]);
    await wallet.control({ mode: "pay" });
    await startTestWorker(t, wallet);
    await untilStates(t.db, made, "paid");
    expect(await moneyFaults(t.db, await wallet.ledger())).toEqual([]);
  });
});

describe("a database that goes away", () => {
  async function cut(where = "true"): Promise<void> {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and ${sql.raw(where)}`.execute(t.db);
  }

  it("is listened to again after that", async () => {
    const worker = await startTestWorker(t, wallet, { limits: { pollMs: 60_000 } });
    await worker.idle();
    await cut("application_name like '%listen%'");
    const one = await makeRecord(t.db);
    await untilStates(t.db, [one], "paid");
    const other = await makeRecord(t.db);
    await inTransaction(t.db, (tx) => notifyPayoutWorkers(tx));
    await untilStates(t.db, [other], "paid");
    expect(await attemptsOf(t.db, other.log_id)).toEqual(["pay paid"]);
  });

  it("during payments: no answer is lost, and each payout is paid once", async () => {
    const made = await makeMany(t.db, 300);
    const kill = await startProcess(LEASE_MS);
    for (let index = 0; index < 10; index += 1) {
      await sleep(30);
      await cut("application_name like 'test worker' or application_name like '%listen%'");
    }
    await untilStates(t.db, made, "paid");
    await kill();
    expect(await moneyFaults(t.db, await wallet.ledger())).toEqual([]);
  });

  it("refuses one row: the rest of the batch is settled", async () => {
    const made = await makeMany(t.db, 40);
    const bad = made[7]?.log_id ?? 0;
    await sql`
      create function refuse_row() returns trigger language plpgsql as $$
      begin
        if new.state = 'paid' then
          raise exception 'no' using errcode = 'check_violation';
        end if;
        return new;
      end $$`.execute(t.db);
    await sql`create trigger refuse_row before update on payout for each row
      when (new.log_id = ${sql.lit(bad)}) execute function refuse_row()`.execute(t.db);
    await startTestWorker(t, wallet, { schedule: { leaseMs: LEASE_MS } });
    await untilStates(
      t.db,
      made.filter(({ log_id }) => log_id !== bad),
      "paid",
    );
    await sql`drop trigger refuse_row on payout`.execute(t.db);
    await untilStates(t.db, made, "paid");
    expect(await moneyFaults(t.db, await wallet.ledger())).toEqual([]);
  });
});
