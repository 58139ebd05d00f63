/**
 * The wallet is down for an hour while many payouts wait. Within half a minute the console shows the outage, no
 * record turns red, draws stay as fast as before, and afterwards every payout is paid once. Runs only with `npm
 * run prove -- outage`; time-leap.ts simulates the hour.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AWARD_STATUS } from "@red/contract/platform/codes";
import { drawRoutes } from "@red/contract/draws/draw";
import { recordRoutes } from "@red/contract/records/record";
import { walletRoutes } from "@red/contract/payouts/wallet";
import type { WalletHealth } from "@red/contract/payouts/wallet";
import { makeDrawable } from "#test/draw-factory";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import { useFaultWallet } from "#test/fault-wallet";
import { moneyFaults, until } from "#test/payout-factory";
import { useProduct } from "#test/product";
import { useTestDb } from "#test/test-db";
import { leapingClock } from "#test/time-leap";
import { sql } from "kysely";
import { expect, test } from "vitest";

/** Number of payouts that wait while the wallet is down. */
const WAITING = Number(process.env["PROVE_N"]);
/** Draws before and during an outage alternate, so that other load affects both measurements equally. */
const TURNS = 4;
const DRAWS_PER_TURN = 600;
const DRAW_EVERY_MS = 50;
/** Number of draws before the measurement starts. They are not counted. */
const WARM_UP = 100;

const HOUR_MS = 3_600_000;
const BANNER_S_MAX = 30;
const SLOWER_MAX = 1.2;
const SETTLE_MIN_MAX = 15;
const TIMEOUT_MS = 1_800_000;

const t = useTestDb();
const wallet = useFaultWallet();
const product = useProduct(t, wallet);

/** Makes players, and a round in which each player has one chance. */
async function makePlayers(count: number) {
  const { rounds_ids } = await makeDrawable(t, { rounds: 1, players: 0 });
  const rows = await t.sql<{ player_id: string }>`
    insert into player (player_id, user_name)
    select 'draws-' || n, 'draws-' || n from generate_series(1, ${count}::int) n
    returning player_id`;
  return { rounds_id: rounds_ids[0] ?? 0, ids: rows.map(({ player_id }) => player_id) };
}

/** Starts draws at a fixed interval, without waiting for earlier draws. Returns the durations in ms. */
async function drawEvenly(
  { rounds_id, ids }: Awaited<ReturnType<typeof makePlayers>>,
  count: number,
): Promise<number[]> {
  const begun = performance.now();
  const path = drawRoutes.draw.path;
  return await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const dueAt = begun + at * DRAW_EVERY_MS;
      const player_id = ids.pop() ?? "";
      await sleep(dueAt - performance.now());
      const body = { request_id: randomUUID(), rounds_id, player_id };
      const status = await product.open("POST", path, body);
      expect(status).toBe(201);
      return performance.now() - dueAt;
    }),
  );
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10;
}

async function health(): Promise<WalletHealth> {
  const { envelope } = await product.call(walletRoutes.health, {});
  // The cast is safe: the server's own tests check this response against the route.
  return envelope.data as WalletHealth;
}

async function countRed(rounds_id: number): Promise<number> {
  const query = { rounds_id, award_status: AWARD_STATUS.failed };
  const { envelope } = await product.call(recordRoutes.list, { query });
  // The cast is safe: the server's own tests check this response against the route.
  return (envelope.data as { total: number }).total;
}

async function countOpen(rounds_id: number | null): Promise<number> {
  const rows = await t.sql<{ count: number }>`
    select count(*) from payout
    where state in ('queued', 'sending', 'unknown')
      and (${rounds_id}::int is null or rounds_id = ${rounds_id})`;
  return rows[0]?.count ?? 0;
}

/** Makes a round's payouts due now, or due in the far future. */
async function setDue(rounds_id: number, isDue: boolean): Promise<void> {
  await t.sql`update payout set next_at = ${isDue ? sql`now()` : sql`'2100-01-01'::timestamptz`}
    where rounds_id = ${rounds_id} and state in ('queued', 'unknown')`;
  await t.sql`vacuum analyze payout`;
}

test("an hour without the wallet", { timeout: TIMEOUT_MS }, async () => {
  const draws = TURNS * 2 * DRAWS_PER_TURN + WARM_UP;
  const players = await makePlayers(draws);
  const round = await makeRound(t.db);
  const held = { payout: { next_at: new Date("2100-01-01") } };
  await makeRecords(t.db, round, await makePlayer(t.db), Array(WAITING).fill(held));
  await drawEvenly(players, WARM_UP);

  const before: number[] = [];
  const during: number[] = [];
  const banners: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    if (turn > 0) {
      await wallet.start();
    }
    await setDue(round.rounds_id, false);
    await until(
      "the draws' payouts are paid",
      async () => (await countOpen(players.rounds_id)) === 0,
      120_000,
    );
    await until("no banner", async () => (await health()).trouble === null, 60_000);
    before.push(...(await drawEvenly(players, DRAWS_PER_TURN)));
    await wallet.kill();
    const downAt = performance.now();
    await setDue(round.rounds_id, true);
    await until("a banner", async () => (await health()).trouble !== null, 120_000);
    banners.push((performance.now() - downAt) / 1000);
    during.push(...(await drawEvenly(players, DRAWS_PER_TURN)));
  }

  const clock = leapingClock(t.db, (ms) => wallet.leap(ms));
  const waiting = (await health()).waiting.count;
  await clock.pass(HOUR_MS, 60_000);
  const red = (await countRed(round.rounds_id)) + (await countRed(players.rounds_id));
  const failed = await t.db
    .selectFrom("payout")
    .select("log_id")
    .where("state", "in", ["refused", "closed", "check"])
    .execute();
  await wallet.start();
  const wellAt = clock.passed();
  await clock.passUntil("all settled", async () => (await countOpen(null)) === 0, TIMEOUT_MS / 2);
  const minutes = (clock.passed() - wellAt) / 60_000;

  const ledger = await wallet.ledger();
  const payouts = await t.db.selectFrom("payout").select(["trans_sn", "state"]).execute();
  const credited = new Set(ledger.credits.map(({ trans_sn }) => trans_sn));
  const told = {
    waiting,
    payouts: payouts.length,
    paid: payouts.filter(({ state }) => state === "paid").length,
    credits: ledger.credits.length,
    paid_twice: ledger.credits.length - credited.size,
    unpaid: payouts.filter(({ trans_sn }) => !credited.has(trans_sn)).length,
    red_during_outage: red + failed.length,
    banner_s_max: Math.round(Math.max(...banners) * 10) / 10,
    draws: before.length + during.length,
    draw_p50_ms: [percentile(before, 0.5), percentile(during, 0.5)],
    draw_p99_ms: [percentile(before, 0.99), percentile(during, 0.99)],
    settled_min: Math.round(minutes * 100) / 100,
  };
  process.stdout.write(`${JSON.stringify(told)}\n`);
  expect(told).toMatchObject({
    paid: payouts.length,
    credits: payouts.length,
    paid_twice: 0,
    unpaid: 0,
    red_during_outage: 0,
  });
  expect(told.waiting).toBeGreaterThanOrEqual(WAITING);
  expect(told.banner_s_max).toBeLessThanOrEqual(BANNER_S_MAX);
  expect(told.settled_min).toBeLessThanOrEqual(SETTLE_MIN_MAX);
  expect(await moneyFaults(t.db, ledger)).toEqual([]);
  expect(percentile(during, 0.99)).toBeLessThanOrEqual(SLOWER_MAX * percentile(before, 0.99));
});
