/** What became of a player's money, and why (behaviour §6). */
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

test("tells each reason with its count and money, the newest first, and counts the rest", async () => {
  const round = await makeRound(t.db, { condition_times: 5 });
  const player = await makePlayer(t.db);
  const day = (no: number) => new Date(Date.UTC(2024, 4, no));
  const refused = (fail_reason: string | null, award_price_cents: number, no: number) => ({
    state: "refused" as const,
    award_price_cents,
    created_at: day(no),
    payout: { fail_reason },
  });
  const two = [refused("account frozen", 88, 2), refused("wallet being migrated", 1666, 3)];
  await makeRecords(t.db, round, player, two);
  const sum = async () => (await head(player.user_name)).payouts[0];
  expect(await sum()).toEqual({
    payout_state: "refused",
    count: 2,
    amount: "17.54",
    since: "2024-05-02 08:00:00",
    reasons: [
      { reason: "wallet being migrated", count: 1, amount: "16.66" },
      { reason: "account frozen", count: 1, amount: "0.88" },
    ],
    other_reasons: { count: 0, amount: "0.00" },
  });
  await makeRecords(t.db, round, player, [
    refused("closed for good", 100, 1),
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
