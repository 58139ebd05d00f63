/**
 * The platform is down for an hour while payout messages wait; then the sending servers are killed (SIGKILL) again and
 * again. Every message must arrive at least once, the messages of a payout must arrive in order, and a third-party
 * library must accept the signatures. `npm run prove -- webhooks` sends 10,000 messages and kills twenty times.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { inTransaction } from "#platform/db/connection";
import { ensureSecretKey } from "#platform/config";
import { secretBox } from "#platform/secret-box";
import { OPERATOR } from "#test/activity-factory";
import { startBundle } from "#test/bundle-process";
import type { BundleProcess } from "#test/bundle-process";
import { makeFolder } from "#test/folder";
import { makeMany, until } from "#test/payout-factory";
import { useTestDb } from "#test/test-db";
import { useReceiver } from "#test/webhook-receiver";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { setWebhook } from "./change-webhook.ts";
import { countWaiting } from "./message-sql.ts";

const IS_PROOF = process.env["PROVE_N"] !== undefined;
/** Each payout makes two messages: a failed and a succeeded message. */
const PAYOUTS = Number(process.env["PROVE_N"] ?? 400) / 2;
const KILLS = IS_PROOF ? 20 : 1;
/** Number of servers that are killed together. */
const SERVERS = IS_PROOF ? 2 : 1;
const HOUR_MS = 3_600_000;
const LEAP_MS = 60_000;
/** Simulated time between two tries while the platform is down. */
const TRY_MS = IS_PROOF ? LEAP_MS : 5 * LEAP_MS;

const t = useTestDb();
const receiver = useReceiver();

/**
 * Makes time pass for waiting messages. With `areDead`, time also passes for calls in flight, because their
 * senders are dead.
 */
async function leap(ms: number, areDead = false): Promise<void> {
  const by = sql`${ms}::float8 * interval '1 ms'`;
  await inTransaction(t.db, async (tx) => {
    // Locks in the same order as the product.
    await sql`update webhook set failing_since = failing_since - ${by}, next_try_at = next_try_at - ${by}`.execute(
      tx,
    );
    await sql`update webhook_message
      set due_at = due_at - ${by}, waits_since = waits_since - ${by}, lease_until = lease_until - ${by}
      where state = 'waiting' and (${areDead} or lease_until is null)`.execute(tx);
  });
}

test(
  "every message arrives in order, whichever process is killed",
  { timeout: 1_800_000 },
  async () => {
    const folder = makeFolder();
    const secrets = secretBox(ensureSecretKey(folder));
    const url = await receiver.start();
    const { secret } = await inTransaction(t.db, (tx) => setWebhook(tx, OPERATOR, secrets, url));
    receiver.secret = secret;
    const start = async () => {
      const server = await startBundle(t.connection, folder, { ROLE: "worker" });
      onTestFinished(() => server.kill());
      return server;
    };
    const startAll = () => Promise.all(Array.from({ length: SERVERS }, start));
    let servers: readonly BundleProcess[] = await startAll();

    const made = await makeMany(t.db, PAYOUTS);
    await receiver.stop();
    for (const change of [
      "state = 'refused', fail_reason = 'frozen'",
      "state = 'paid', paid_at = now()",
    ]) {
      await t.sql`update payout set ${sql.raw(change)}`;
    }
    for (let passed = 0; passed < HOUR_MS; passed += TRY_MS) {
      await leap(TRY_MS);
      await sleep(IS_PROOF ? 500 : 20);
    }
    const waiting = await countWaiting(t.db);
    await receiver.start();

    let inFlight = 0;
    for (let kills = 0; kills < KILLS; kills += servers.length) {
      const share = Math.floor(((kills + 1) / (KILLS + 1)) * made.length * 2);
      await until("some arrived", async () => {
        await leap(LEAP_MS);
        return receiver.received.length >= share;
      });
      await Promise.all(servers.map((server) => server.kill()));
      const rows = await t.sql<{ count: number }>`
      select count(*) as count from webhook_message where lease_until > now()`;
      inFlight += rows[0]?.count ?? 0;
      await leap(LEAP_MS, true);
      servers = await startAll();
    }
    await until(
      "all delivered",
      async () => {
        await leap(LEAP_MS);
        return (await countWaiting(t.db)) === 0;
      },
      600_000,
    );

    const ids = await t.db.selectFrom("webhook_message").select("message_id").execute();
    const received = new Set(receiver.received.map(({ id }) => id));
    expect(ids.filter(({ message_id }) => !received.has(message_id))).toEqual([]);
    const orders = new Map<unknown, string[]>();
    for (const { type, data } of receiver.received) {
      orders.set(data["trans_sn"], [...(orders.get(data["trans_sn"]) ?? []), type]);
    }
    const disordered = [...orders.values()].filter(
      (types) => types.lastIndexOf("payout.failed") > types.indexOf("payout.succeeded"),
    );
    const told = {
      messages: ids.length,
      waited_an_hour: waiting,
      kills: KILLS,
      in_flight_when_killed: inFlight,
      received: receiver.received.length,
      twice: receiver.received.length - received.size,
      disordered: disordered.length,
    };
    if (IS_PROOF) {
      process.stdout.write(`${JSON.stringify(told)}\n`);
    }
    expect(told).toMatchObject({
      messages: 2 * PAYOUTS,
      waited_an_hour: 2 * PAYOUTS,
      disordered: 0,
    });
    expect(orders.size).toBe(PAYOUTS);
    expect(inFlight).toBeGreaterThan(0);
  },
);
