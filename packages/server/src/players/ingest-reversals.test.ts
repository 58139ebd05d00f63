import { betOf, counted, depositOf, feed, fresh } from "#test/ingest-factory";
import { useTestDb } from "#test/test-db";
import { describe, expect, test } from "vitest";

const t = useTestDb();

async function versionOf(player_id: string): Promise<number> {
  const { version } = await t.db
    .selectFrom("player")
    .select("version")
    .where("player_id", "=", player_id)
    .executeTakeFirstOrThrow();
  return version;
}

describe("a reversal", () => {
  test("marks the deposit, which stays, and raises its player's version once", async () => {
    const deposit = depositOf(fresh("p"));
    const { order_no, created_at } = deposit;
    await feed(t.db, "deposits", [deposit]);
    const before = await versionOf(deposit.player_id);
    const reversal = { order_no, created_at, reason: "charge-back" };
    const again = { ...reversal, reason: "another" };
    expect(await feed(t.db, "reversals", [reversal, again])).toEqual(
      counted({ accepted: 1, duplicates: 1 }),
    );
    const stored = await t.db
      .selectFrom("deposit")
      .selectAll()
      .where("order_no", "=", order_no)
      .execute();
    expect(stored).toHaveLength(1);
    expect(stored[0]).toMatchObject({ amount_cents: 10_000, reversal_reason: "charge-back" });
    expect(stored[0]?.reversed_at).toBeInstanceOf(Date);
    expect(await versionOf(deposit.player_id)).toBe(before + 1);

    expect(await feed(t.db, "reversals", [again])).toEqual(counted({ duplicates: 1 }));
    expect(await feed(t.db, "deposits", [deposit])).toEqual(counted({ duplicates: 1 }));
    expect(await versionOf(deposit.player_id)).toBe(before + 1);
    const [after] = await t.db
      .selectFrom("deposit")
      .selectAll()
      .where("order_no", "=", order_no)
      .execute();
    expect(after).toEqual(stored[0]);
  });

  test("of a deposit that is not there is rejected, the rest is taken", async () => {
    const deposit = depositOf(fresh("p"));
    await feed(t.db, "deposits", [deposit]);
    const { order_no, created_at } = deposit;
    const result = await feed(t.db, "reversals", [
      { order_no: fresh("d"), created_at },
      { order_no, created_at: "2024-05-10T03:59:59.999Z" },
      { order_no, created_at: "1999-01-01T00:00:00Z" },
      { order_no, created_at, reason: "a\u0000b" },
      { order_no, created_at, reason: "x".repeat(201) },
      { order_no },
      { order_no, created_at: created_at.replace("Z", "999Z") },
    ]);
    expect(result).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(result.rejected.map(({ index, code }) => [index, code])).toEqual([
      [0, "not_found"],
      [1, "not_found"],
      [2, "not_found"],
      [3, "reason"],
      [4, "reason"],
      [5, "created_at"],
    ]);
  });
});

describe("a bet", () => {
  test("is stored, sent again a duplicate, with other content a conflict", async () => {
    const bet = betOf(fresh("p"), { valid_bet_amount: "12.34", platform: "7234" });
    const other = { ...bet, platform: 1234 };
    expect(await feed(t.db, "bets", [bet, bet, other])).toMatchObject({
      accepted: 1,
      duplicates: 1,
      rejected: [{ index: 2, code: "conflict" }],
    });
    expect(await feed(t.db, "bets", [{ ...bet, valid_bet_amount: "12.35" }])).toMatchObject({
      rejected: [{ index: 0, code: "conflict" }],
    });
    const stored = await t.db
      .selectFrom("bet")
      .selectAll()
      .where("bet_no", "=", bet.bet_no)
      .execute();
    expect(stored).toMatchObject([{ valid_bet_cents: 1_234, platform: 7234, voided_at: null }]);
  });

  test("that is void is marked and raises its player's version", async () => {
    const bet = betOf(fresh("p"));
    await feed(t.db, "bets", [bet]);
    const before = await versionOf(bet.player_id);
    const { bet_no, created_at } = bet;
    expect(await feed(t.db, "voids", [{ bet_no, created_at }])).toEqual(counted({ accepted: 1 }));
    expect(await feed(t.db, "voids", [{ bet_no, created_at }])).toEqual(counted({ duplicates: 1 }));
    const stored = await t.db
      .selectFrom("bet")
      .select(["voided_at", "void_reason"])
      .where("bet_no", "=", bet_no)
      .executeTakeFirstOrThrow();
    expect(stored).toEqual({ voided_at: expect.any(Date), void_reason: null });
    expect(await versionOf(bet.player_id)).toBe(before + 1);
  });

  test("with an unknown platform is rejected", async () => {
    const result = await feed(t.db, "bets", [betOf(fresh("p"), { platform: 4234 })]);
    expect(result).toMatchObject({ rejected: [{ index: 0, code: "platform" }] });
  });

  test("may have the number of a deposit", async () => {
    const no = fresh("n");
    const player = fresh("p");
    await feed(t.db, "deposits", [depositOf(player, { order_no: no })]);
    expect(await feed(t.db, "bets", [betOf(player, { bet_no: no })])).toEqual(
      counted({ accepted: 1 }),
    );
  });
});
