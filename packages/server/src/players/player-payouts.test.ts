/** A player's payouts, and the reasons of their states (behaviour §6). */
import { playerViewRoutes } from "@red/contract/player-view";
import type { PlayerHead } from "@red/contract/player-view";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

async function head(user_name: string): Promise<PlayerHead> {
  const { code, data } = await app.call(playerViewRoutes.head, { query: { user_name } });
  expect(code).toBe(200);
  // Answers are checked against the contract in tests.
  return data as PlayerHead;
}

test("sums payouts by state with time and reason, and puts the round drawn in first", async () => {
  const round = await makeRound(t.db, { condition_times: 5 });
  const player = await makePlayer(t.db);
  const other = await makePlayer(t.db);
  const unknown_since = new Date("2024-05-10T12:03:00Z");
  await makeRecords(t.db, round, player, [
    { state: "paid", award_price_cents: 100 },
    { state: "paid", award_price_cents: 200 },
    { state: "unknown", award_price_cents: 888, payout: { unknown_since } },
    { state: "refused", award_price_cents: 50, payout: { fail_reason: "account frozen" } },
    { state: "queued", created_at: new Date("2024-05-10T12:00:00Z") },
  ]);
  await makeRecords(t.db, await makeRound(t.db), other, [{ state: "paid" }]);
  const { draws, payouts, payouts_stopped_since, rounds } = await head(player.user_name);
  expect([rounds.length, rounds[0]?.rounds_id]).toEqual([2, round.rounds_id]);
  expect([draws, payouts_stopped_since]).toEqual([5, null]);
  await t.db
    .insertInto("stop_switch")
    .values({ name: "payouts", pool_id: null, stopped_by: "root-op", reason: null })
    .execute();
  expect((await head(player.user_name)).payouts_stopped_since).toMatch(/^\d{4}-/);
  const none = { reasons: [], other_reasons: { count: 0, amount: "0.00" } };
  expect(payouts).toEqual([
    { payout_state: "queued", count: 1, amount: "8.88", since: "2024-05-10 20:00:00", ...none },
    { payout_state: "unknown", count: 1, amount: "8.88", since: "2024-05-10 20:03:00", ...none },
    { payout_state: "paid", count: 2, amount: "3.00", since: null, ...none },
    {
      ...none,
      payout_state: "refused",
      count: 1,
      amount: "0.50",
      since: expect.any(String) as string,
      reasons: [{ reason: "account frozen", count: 1, amount: "0.50" }],
    },
  ]);
});

test("shows each reason with count and sum, newest first, and counts the rest", async () => {
  const round = await makeRound(t.db, { condition_times: 5 });
  const player = await makePlayer(t.db);
  const day = (no: number) => new Date(Date.UTC(2024, 4, no));
  const refused = (fail_reason: string | null, award_price_cents: number, no: number) => ({
    state: "refused" as const,
    award_price_cents,
    created_at: day(no),
    payout: { fail_reason },
  });
  const sum = async () => (await head(player.user_name)).payouts[0];
  await makeRecords(t.db, round, player, [
    refused("closed for good", 100, 1),
    refused("account frozen", 88, 2),
    refused("wallet being migrated", 1666, 3),
    refused("account frozen", 200, 4),
    refused("limit", 300, 5),
  ]);
  expect(await sum()).toMatchObject({
    count: 5,
    amount: "23.54",
    since: "2024-05-01 08:00:00",
    reasons: [
      { reason: "limit", count: 1, amount: "3.00" },
      { reason: "account frozen", count: 2, amount: "2.88" },
      { reason: "wallet being migrated", count: 1, amount: "16.66" },
    ],
    other_reasons: { count: 1, amount: "1.00" },
  });
});
