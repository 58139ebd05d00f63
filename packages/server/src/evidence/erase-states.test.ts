/** Tests in which payout states a player may be erased, and which saved views are deleted (behaviour §3). */
import type { PayoutState } from "@red/contract/platform/codes";
import { AppError } from "@red/contract/platform/errors";
import { inTransaction } from "#platform/db/connection";
import { OPERATOR } from "#test/activity-factory";
import { makeOperator, makePlayer, makeRecords, makeRound } from "#test/factories";
import { changeRows, rowOf } from "#test/rows";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";
import { erasePlayer } from "./erase-player.ts";

const t = useTestDb();

const erase = (user_name: string) =>
  inTransaction(t.db, (tx) => erasePlayer(tx, OPERATOR, user_name)).then(
    () => "erased",
    (fault: unknown) => (fault instanceof AppError ? fault.key : fault),
  );

// A Record, so that a new state without an entry here does not compile.
const ANSWERS: Record<PayoutState, string> = {
  queued: "player_owed",
  sending: "player_owed",
  unknown: "player_owed",
  check: "player_owed",
  waiting_delivery: "player_owed",
  refused: "player_owed",
  paid: "erased",
  delivered: "erased",
  closed: "erased",
};

test.each(Object.entries(ANSWERS) as [PayoutState, string][])(
  "a payout that is %s, beside a paid one: %s",
  async (state, answer) => {
    const player = await makePlayer(t.db);
    const isThing = state === "waiting_delivery" || state === "delivered";
    const price = isThing ? { award_price_cents: 0 } : {};
    await makeRecords(t.db, await makeRound(t.db), player, [
      { state: "paid" },
      { ...price, state },
      { state: "paid" },
    ]);
    expect(await erase(player.user_name)).toBe(answer);
  },
);

test("a payout due in a minute is held, a payout due now is owed", async () => {
  const player = await makePlayer(t.db);
  const next_at = new Date(Date.now() + 60_000);
  await makeRecords(t.db, await makeRound(t.db), player, [{ payout: { next_at } }]);
  expect(await erase(player.user_name)).toBe("player_held");
  await t.sql`update payout set next_at = now() where player_key = ${player.player_key}`;
  expect(await erase(player.user_name)).toBe("player_owed");
});

test.each([null, "2026-01-01"])("the player stays blocked: since %s", async (since) => {
  const blocked_at = since === null ? null : new Date(since);
  const { player_key, user_name } = await makePlayer(t.db, { blocked: since !== null, blocked_at });
  const select = () => rowOf(t.db, "player", { player_key });
  const before = await select();
  expect(await erase(user_name)).toBe("erased");
  const { erased_at, ...after } = await select();
  expect(after).toMatchObject({
    player_id: expect.stringMatching(/^erased-[0-9a-f]{16}$/),
    user_name: after.player_id,
    blocked: true,
    blocked_at: blocked_at ?? expect.any(Date),
    version: before.version + 1,
    draw_version: before.draw_version + 1,
  });
  expect(Math.abs(Date.now() - (erased_at?.getTime() ?? 0))).toBeLessThan(60_000);
  expect(await erase(after.user_name)).toBe("player_erased");
  expect(await erase(user_name)).toBe("player_unknown");
});

test.each([
  ["wipe-9x", "Wipe-9X asked", "", 0],
  ["Wipe-9x", "WIPE-9X", "", 0],
  ["wipe-9y", "mine", "?user_name=WIPE-9Y&page=2", 0],
  ["WIPE-9z", "mine", "?page=2&user_name=wipe-9z", 0],
  ["wipe 8+x", "mine", "?user_name=Wipe+8%2bX", 0],
  ["wipe-3x", "of before", "?user_name=OLD-wipe-3x", 0],
  ["王小9", "王小9 的派奖", "", 0],
  ["王小8", "mine", "?user_name=%e7%8e%8b%e5%b0%8f8", 0],
  ["wipe-7x", "of Wipe-6X", "?user_name=wipe-6x", 1],
  // The text is the id of the erased player, and also the account of another player.
  ["wipe-4x", "of wipe-5x", "?user_name=wipe-5x", 1],
  // Words and numbers that do not mean the player.
  ["weekend", "mine", "?tag=weekend&page=8&user_name=other", 1],
  ["8", "mine", "?rounds_id=8&size=8", 1],
  ["closed", "mine", "?payout_state=closed&action=closed", 1],
  ["9", "a round's log", "?object_type=activity&object_id=9", 1],
  ["wipe-2x", "a player's log", "?object_id=Wipe-2x&object_type=player", 0],
  ["wipe-1x", "what no list knows", "?q=Wipe-1x", 0],
])("erasing %s: a view called %s with %s", async (user_name, view_name, search, left) => {
  const shared = user_name === "wipe-4x" && (await makePlayer(t.db, { user_name: "wipe-5x" }));
  const made = await makePlayer(t.db, { user_name, ...(shared && { player_id: "wipe-5x" }) });
  if (view_name === "of before") {
    await changeRows(t.db, "player", { user_name }, { user_name: `old-${user_name}` });
    await changeRows(t.db, "player", { player_id: made.player_id }, { user_name });
  }
  const operator_id = await makeOperator(t.db, made.player_id);
  await t.sql`insert into saved_view (operator_id, page, view_name, search)
    values (${operator_id}, 'record', ${view_name}, ${search})`;
  expect(await erase(user_name)).toBe("erased");
  expect(await t.sql`select from saved_view where operator_id = ${operator_id}`).toHaveLength(left);
});
