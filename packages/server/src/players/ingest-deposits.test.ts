import { inTransaction } from "#platform/connection";
import { betOf, counted, depositOf, feed, fresh, makePlayer, PLATFORM } from "#test/ingest-factory";
import { useTestDb } from "#test/test-db";
import { ingestDeposits } from "./ingest-deposits.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";

const t = useTestDb();

async function depositsOf(player_id: string) {
  return await t.db
    .selectFrom("deposit as d")
    .innerJoin("player as p", "p.player_key", "d.player_key")
    .selectAll("d")
    .select(["p.user_name", "p.version"])
    .where("p.player_id", "=", player_id)
    .orderBy("d.id")
    .execute();
}

async function versionOf(player_id: string): Promise<number> {
  const { version } = await t.db
    .selectFrom("player")
    .select("version")
    .where("player_id", "=", player_id)
    .executeTakeFirstOrThrow();
  return version;
}

describe.each(["deposits", "bets"] as const)("a number of %s", (kind) => {
  const rowOf = kind === "deposits" ? depositOf : betOf;
  const field = kind === "deposits" ? "order_no" : "bet_no";
  const conflict = { code: "conflict", message: expect.stringContaining("within 24 hours") };
  /** Rows of one number at so many milliseconds after midnight; months begin in between. */
  const at = (player: string, no: string, ...offsets: number[]) =>
    offsets.map((ms) =>
      rowOf(player, { [field]: no, created_at: new Date(Date.UTC(2024, 5, 1) + ms).toISOString() }),
    );
  const DAY = 86_400_000;

  test("is not taken from its player again within 24 hours, before or after", async () => {
    const [player, no] = [fresh("p"), fresh("n")];
    const [first, ...others] = at(player, no, 0, 1, -1, DAY, -DAY, DAY + 1, -DAY - 1);
    expect(await feed(t.db, kind, [first])).toEqual(counted({ accepted: 1 }));
    expect(await feed(t.db, kind, [first, ...others, others[4]])).toMatchObject({
      accepted: 2,
      duplicates: 2,
      rejected: [1, 2, 3, 4].map((index) => ({ index, ...conflict })),
    });
  });

  test("is taken once of a call, and each row is held against those before it that were taken", async () => {
    const [player, no] = [fresh("p"), fresh("n")];
    const rows = at(player, no, 0, 0.8 * DAY, 1.6 * DAY, 0.8 * DAY);
    expect(await feed(t.db, kind, rows)).toMatchObject({
      accepted: 2,
      rejected: [
        { index: 1, ...conflict },
        { index: 3, ...conflict },
      ],
    });
  });

  test("is another player's own", async () => {
    const no = fresh("n");
    const rows = [...at(fresh("p"), no, 0), ...at(fresh("p"), no, 1)];
    expect(await feed(t.db, kind, rows)).toEqual(counted({ accepted: 2 }));
  });
});

describe("a deposit", () => {
  test("is stored with its player, and its id tells its time", async () => {
    const row = depositOf(fresh("p"), {
      amount: "120.5",
      channel: "9",
      created_at: "2024-05-10T12:00:00.123456+08:00",
    });
    expect(await feed(t.db, "deposits", [row])).toEqual(counted({ accepted: 1 }));
    const [stored, ...others] = await depositsOf(row.player_id);
    expect(others).toEqual([]);
    expect(stored).toMatchObject({
      order_no: row.order_no,
      user_name: row.user_name,
      amount_cents: 12_050,
      channel: 9,
      client: 2,
      created_at: new Date("2024-05-10T04:00:00.123Z"),
      reversed_at: null,
    });
    expect(Math.floor((stored?.id ?? 0) / 16_384) + Date.UTC(2020, 0, 1)).toBe(
      Date.UTC(2024, 4, 10, 4, 0, 0, 123),
    );
  });

  test("sent again is a duplicate, in the same call and in later ones", async () => {
    const row = depositOf(fresh("p"));
    const created_at = row.created_at.replace("Z", "999+00:00");
    const sameInstant = { ...row, amount: "100", created_at };
    expect(await feed(t.db, "deposits", [row, row, sameInstant])).toEqual(
      counted({ accepted: 1, duplicates: 2 }),
    );
    const before = await versionOf(row.player_id);
    expect(await feed(t.db, "deposits", [row])).toEqual(counted({ duplicates: 1 }));
    expect(await feed(t.db, "deposits", [row, row])).toEqual(counted({ duplicates: 2 }));
    expect(await depositsOf(row.player_id)).toHaveLength(1);
    expect(await versionOf(row.player_id)).toBe(before);
  });

  test.each([
    ["amount", { amount: "100.01" }],
    ["channel", { channel: 4 }],
    ["client", { client: 1 }],
  ])("with another %s under the same identity is a conflict", async (_, change) => {
    const row = depositOf(fresh("p"));
    const other = { ...row, ...change };
    const conflict = { code: "conflict", message: expect.stringContaining("other content") };
    expect(await feed(t.db, "deposits", [row, other])).toEqual(
      counted({ accepted: 1, rejected: [{ index: 1, ...conflict }] }),
    );
    expect(await feed(t.db, "deposits", [other, row])).toEqual(
      counted({ duplicates: 1, rejected: [{ index: 0, ...conflict }] }),
    );
  });

  test("of another player under the same identity is a conflict and adds no player", async () => {
    const row = depositOf(fresh("p"));
    const stranger = fresh("p");
    const other = { ...row, player_id: stranger, user_name: `${stranger}-name` };
    const inOneCall = await feed(t.db, "deposits", [row, other]);
    const inTwo = await feed(t.db, "deposits", [other]);
    expect([inOneCall.rejected[0]?.code, inTwo.rejected[0]?.code]).toEqual([
      "conflict",
      "conflict",
    ]);
    const known = await t.db
      .selectFrom("player")
      .select("player_id")
      .where("player_id", "=", stranger)
      .execute();
    expect(known).toEqual([]);
  });

  test("needs the account of its player, compared without case", async () => {
    const row = depositOf(fresh("p"));
    await feed(t.db, "deposits", [row]);
    const shouted = depositOf(row.player_id, { user_name: row.user_name.toUpperCase() });
    const wrong = depositOf(row.player_id, { user_name: "somebody else" });
    const taken = depositOf(fresh("p"), { user_name: row.user_name });
    const result = await feed(t.db, "deposits", [shouted, wrong, taken]);
    expect(result).toMatchObject({
      accepted: 1,
      rejected: [
        { index: 1, code: "player_mismatch" },
        { index: 2, code: "player_mismatch" },
      ],
    });
  });

  test("of a player whom the call itself adds is held to the first name", async () => {
    const id = fresh("p");
    const result = await feed(t.db, "deposits", [
      depositOf(id, { user_name: "First" }),
      depositOf(id, { user_name: "second" }),
      depositOf(id, { user_name: "FIRST" }),
      depositOf(fresh("p"), { user_name: "first" }),
    ]);
    expect(result).toMatchObject({ accepted: 2, duplicates: 0 });
    expect(result.rejected.map(({ index, code }) => [index, code])).toEqual([
      [1, "player_mismatch"],
      [3, "player_mismatch"],
    ]);
    expect((await depositsOf(id)).map((deposit) => deposit.user_name)).toEqual(["First", "First"]);
  });

  test("raises the version of its player, also when it comes late", async () => {
    const row = depositOf(fresh("p"));
    await feed(t.db, "deposits", [row]);
    const before = await versionOf(row.player_id);
    const late = depositOf(row.player_id, { created_at: "2021-01-01T00:00:00Z" });
    expect(await feed(t.db, "deposits", [late])).toEqual(counted({ accepted: 1 }));
    expect(await versionOf(row.player_id)).toBeGreaterThan(before);
  });

  test("is taken up to the last millisecond of a UTC month, in its month's partition", async () => {
    const id = fresh("p");
    const last = depositOf(id, { created_at: "2023-02-28T23:59:59.999Z" });
    const first = depositOf(id, { created_at: "2023-03-01T00:00:00Z" });
    expect(await feed(t.db, "deposits", [first, last])).toEqual(counted({ accepted: 2 }));
    const { rows } = await sql<{ part: string }>`
      select d.tableoid::regclass::text as part from deposit d
      where d.order_no in (${last.order_no}, ${first.order_no}) order by d.created_at`.execute(
      t.db,
    );
    expect(rows.map((row) => row.part)).toEqual(["deposit_202302", "deposit_202303"]);
  });
});

describe("a deposit is rejected", () => {
  test.each([
    ["amount", { amount: "0.00" }],
    ["amount", { amount: "1.005" }],
    ["amount", { amount: "-1" }],
    ["amount", { amount: undefined }],
    ["channel", { channel: 10 }],
    ["client", { client: 0 }],
    ["order_no", { order_no: "" }],
    ["order_no", { order_no: "x".repeat(65) }],
    ["order_no", { order_no: "a\u0000b" }],
    ["player_id", { player_id: 7 }],
    ["user_name", { user_name: " " }],
    ["created_at", { created_at: "2024-05-10 12:00:00" }],
    ["created_at", { created_at: "2024-02-30T12:00:00Z" }],
    ["created_at", { created_at: "2019-12-31T23:59:59.999Z" }],
    ["note", { note: "unknown" }],
  ])("for its %s: %j", async (code, change) => {
    const good = depositOf(fresh("p"));
    const bad = depositOf(fresh("p"), change);
    const result = await feed(t.db, "deposits", [bad, good]);
    expect(result).toMatchObject({ accepted: 1, rejected: [{ index: 0, code }] });
    expect(result.rejected[0]?.message).not.toBe("");
  });

  test("when it is more than 24 hours ahead", async () => {
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const result = await feed(t.db, "deposits", [
      depositOf(fresh("p"), { created_at: at(23.9) }),
      depositOf(fresh("p"), { created_at: at(24.1) }),
    ]);
    expect(result).toMatchObject({ accepted: 1, rejected: [{ index: 1, code: "created_at" }] });
  });

  test("when it is no object at all", async () => {
    const result = await feed(t.db, "deposits", [null, 7, [], "x"]);
    expect(result.accepted).toBe(0);
    expect(result.rejected.map((row) => row.index)).toEqual([0, 1, 2, 3]);
  });

  test("in the language of the caller", async () => {
    const player_key = await makePlayer(t.db);
    const { player_id } = await t.db
      .selectFrom("player")
      .select("player_id")
      .where("player_key", "=", player_key)
      .executeTakeFirstOrThrow();
    const row = depositOf(player_id, { user_name: "x" });
    const result = await inTransaction(t.db, (tx) => ingestDeposits(tx, PLATFORM, [row], "zh"));
    expect(result.rejected[0]?.message).toContain("不是同一个玩家");
  });
});

test("a call leaves one audit row with what came of it", async () => {
  const row = depositOf(fresh("p"));
  await t.db.deleteFrom("audit_log").execute();
  await feed(t.db, "deposits", [row, row, {}, { ...row, amount: "7" }]);
  const audits = await t.db.selectFrom("audit_log").selectAll().execute();
  expect(audits).toHaveLength(1);
  expect(audits[0]).toMatchObject({
    actor_kind: "key",
    actor: "rk_test",
    action: "ingest_deposits",
    object_type: "deposit",
    outcome: "done",
    after: { accepted: 1, updated: 0, duplicates: 1, rejected: 2 },
  });
});

describe("a millisecond", () => {
  const created_at = "2022-07-01T00:00:00.500Z";

  test("holds 16,384 deposits; what is more is rejected, and nothing is lost", async () => {
    const id = fresh("p");
    let accepted = 0;
    const rejected: string[] = [];
    for (let call = 0; call < 4; call += 1) {
      const rows = Array.from({ length: 5_000 }, () => depositOf(id, { created_at }));
      const result = await feed(t.db, "deposits", rows);
      accepted += result.accepted;
      rejected.push(...result.rejected.map((row) => row.code));
      expect(result.accepted + result.rejected.length).toBe(5_000);
    }
    expect(accepted).toBe(16_384);
    expect(rejected).toHaveLength(20_000 - 16_384);
    expect(new Set(rejected)).toEqual(new Set(["created_at"]));
    const next = depositOf(id, { created_at: "2022-07-01T00:00:00.501Z" });
    expect(await feed(t.db, "deposits", [next])).toEqual(counted({ accepted: 1 }));
  });

  test("that is nearly full gives its last free places", async () => {
    const player_key = await makePlayer(t.db);
    const { player_id } = await t.db
      .selectFrom("player")
      .select("player_id")
      .where("player_key", "=", player_key)
      .executeTakeFirstOrThrow();
    const at = "2022-08-01T00:00:00.250Z";
    await sql`select ensure_month('deposit', '2022-08-01')`.execute(t.db);
    const first = (Date.parse(at) - Date.UTC(2020, 0, 1)) * 16_384;
    await sql`
      insert into deposit (id, order_no, player_key, amount_cents, channel, client, created_at)
      select ${first}::bigint + slot, 'full' || slot, ${player_key}::bigint, 100, 1, 1, ${at}::timestamptz
      from generate_series(0, 16383) as slot where slot not in (0, 7000, 16383)`.execute(t.db);
    const rows = Array.from({ length: 5 }, () => depositOf(player_id, { created_at: at }));
    const result = await feed(t.db, "deposits", rows);
    expect(result.accepted).toBe(3);
    expect(result.rejected).toHaveLength(2);
  });
});
