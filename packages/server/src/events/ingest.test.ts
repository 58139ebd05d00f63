import { lockPlayerNames } from "#players/player-sql";
import { makeDrawable } from "#test/draw-factory";
import { betOf, counted, depositOf, feed, fresh, makePlayer } from "#test/ingest-factory";
import { hold } from "#test/races";
import { changeRows, rowsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { clear, useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

async function post(path: string, body: object) {
  const response = await app.open("POST", path, body);
  return { status: response.statusCode, body: response.json<unknown>() };
}

test("an amount sent as a number is refused, with the right format", async () => {
  const rows = [{ ...depositOf(fresh("p")), amount: 10.5 }];
  const { body } = await post("/open/v1/deposits", { deposits: rows });
  const message = 'amount 是金额，请以字符串发送，例如 "12.50"';
  expect(body).toEqual(counted({ rejected: [{ index: 0, code: "amount", message }] }));
});

test("a body with a repeated field is refused", async () => {
  const [row, other] = [depositOf(fresh("p")), depositOf(fresh("p"))].map((one) =>
    JSON.stringify(one),
  );
  const url = "/open/v1/deposits";
  for (const payload of [
    `{"deposits":[${row}],"deposits":[${other}]}`,
    `{"deposits":[${row?.replace("{", '{"amount":"999.00",')}]}`,
  ]) {
    const headers = { ...app.sign("POST", url, payload), "content-type": "application/json" };
    const answer = await app.app.inject({ method: "POST", url, headers, payload });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: "bad_input", detail: "同一个对象中有重复的字段" });
  }
});

test("eight calls run at once; the ninth must retry, and draws go on", async () => {
  const { rounds_ids, player_ids } = await makeDrawable(t, { rounds: 1, players: 1 });
  const names = await hold(t.db, lockPlayerNames);
  const calls = Array.from({ length: 9 }, async () => {
    const players = [{ player_id: fresh("p"), user_name: fresh("crowd") }];
    return await app.open("POST", "/open/v1/players", { players });
  });
  const refused = await Promise.race(calls);
  expect(refused.json()).toMatchObject({ status: 429, code: "overloaded" });
  expect(refused.headers["retry-after"]).toBe("1");
  const request = { request_id: "r", rounds_id: rounds_ids[0], player_id: player_ids[0] };
  expect((await post("/open/v1/draws", request)).status).toBe(201);
  await names.commit();
  const taken = (await Promise.all(calls)).filter((call) => call.statusCode === 200);
  expect(taken).toHaveLength(8);
});

async function playerOf(player_id: string) {
  return (await rowsOf(t.db, "player", { player_id }))[0];
}

describe("an ingested player", () => {
  test("is accepted once, not blocked by default", async () => {
    const [open, blocked] = [fresh("p"), fresh("p")];
    const rows = [
      { player_id: open, user_name: `${open}-name` },
      { player_id: blocked, user_name: `${blocked}-name`, blocked: true },
    ];
    expect(await feed(t.db, "players", rows)).toEqual(counted({ accepted: 2 }));
    expect(await feed(t.db, "players", rows)).toEqual(counted({ duplicates: 2 }));
    expect(await playerOf(open)).toMatchObject({ blocked: false, version: 1 });
    expect(await playerOf(blocked)).toMatchObject({ blocked: true, version: 1 });
  });

  test("is blocked and unblocked; without `blocked` it stays as it is", async () => {
    const player_id = fresh("p");
    const row = { player_id, user_name: player_id };
    const save = async (change: object) => await feed(t.db, "players", [{ ...row, ...change }]);
    const updated = counted({ updated: 1 });
    await save({});
    expect(await save({ blocked: true })).toEqual(updated);
    expect(await playerOf(player_id)).toMatchObject({ blocked: true, version: 2 });
    expect(await save({})).toEqual(counted({ duplicates: 1 }));
    expect(await save({ user_name: `${player_id}x` })).toEqual(updated);
    expect(await playerOf(player_id)).toMatchObject({ blocked: true, user_name: `${player_id}x` });
    expect(await save({ blocked: false })).toEqual(updated);
    expect(await playerOf(player_id)).toMatchObject({ blocked: false, user_name: player_id });
  });

  test("cannot take another's name", async () => {
    const [one, two, three] = [fresh("p"), fresh("p"), fresh("p")];
    await feed(t.db, "players", [
      { player_id: one, user_name: one },
      { player_id: two, user_name: two },
    ]);
    const result = await feed(t.db, "players", [
      { player_id: two, user_name: one.toUpperCase() },
      { player_id: three, user_name: one },
    ]);
    expect(result).toMatchObject({
      accepted: 0,
      updated: 0,
      rejected: [
        { index: 0, code: "player_mismatch" },
        { index: 1, code: "player_mismatch" },
      ],
    });
    expect(await playerOf(two)).toMatchObject({ user_name: two, version: 1 });
    expect(await playerOf(three)).toBeUndefined();
  });

  test("who was erased is neither renamed nor unblocked", async () => {
    const player_id = fresh("p");
    const row = { player_id, user_name: player_id, blocked: true };
    await feed(t.db, "players", [row]);
    await changeRows(t.db, "player", { player_id }, { erased_at: new Date() });
    const rows = [row, { ...row, blocked: false }, { ...row, user_name: `${player_id}x` }];
    expect(await feed(t.db, "players", rows)).toMatchObject({
      updated: 0,
      rejected: rows.map((_, index) => ({ index, code: "player_mismatch" })),
    });
    expect(await playerOf(player_id)).toMatchObject({ ...row, version: 1 });
  });

  test("is judged row by row, as in separate calls", async () => {
    const player_id = fresh("p");
    const row = { player_id, user_name: player_id };
    const result = await feed(t.db, "players", [
      row,
      row,
      { ...row, blocked: true },
      { ...row, blocked: false },
      { ...row, user_name: `${player_id}-2` },
    ]);
    expect(result).toEqual(counted({ accepted: 1, duplicates: 1, updated: 3 }));
    expect(await playerOf(player_id)).toMatchObject({
      user_name: `${player_id}-2`,
      blocked: false,
    });
  });

  test("gets a name that an earlier row has freed, in a chain and in a ring", async () => {
    const ids = [fresh("p"), fresh("p"), fresh("p")];
    const [a = "", b = "", c = ""] = ids;
    const rows = ids.map((player_id) => ({ player_id, user_name: player_id }));
    await feed(t.db, "players", rows);
    const added = fresh("p");
    const result = await feed(t.db, "players", [
      { player_id: a, user_name: `${a}-free` },
      { player_id: b, user_name: a },
      { player_id: c, user_name: b },
      { player_id: a, user_name: c },
      { player_id: b, user_name: `${b}-free` },
      { player_id: added, user_name: a },
    ]);
    expect(result).toEqual(counted({ accepted: 1, updated: 5 }));
    const names = await Promise.all([a, b, c, added].map(playerOf));
    expect(names.map((player) => player?.user_name)).toEqual([c, `${b}-free`, b, a]);
  });
});

interface Row {
  readonly player_id: string;
  readonly user_name: string;
  readonly created_at: string;
  readonly [field: string]: unknown;
}

interface Kind {
  readonly table: "deposit" | "bet";
  readonly no: "order_no" | "bet_no";
  readonly rowOf: (player_id: string, changes?: object) => Row;
  readonly back: "reversals" | "voids";
  readonly stored: object;
  readonly others: readonly object[];
}

const KINDS: readonly ["deposits" | "bets", Kind][] = [
  [
    "deposits",
    {
      table: "deposit",
      no: "order_no",
      rowOf: depositOf,
      back: "reversals",
      stored: { amount_cents: 10_000, channel: 3, client: 2, reversed_at: null },
      others: [{ amount: "100.01" }, { channel: 4 }, { client: 1 }],
    },
  ],
  [
    "bets",
    {
      table: "bet",
      no: "bet_no",
      rowOf: betOf,
      back: "voids",
      stored: { valid_bet_cents: 10_000, platform: 1234, voided_at: null },
      others: [{ valid_bet_amount: "100.01" }, { platform: 7234 }],
    },
  ],
];

async function versionOf(player_id: string): Promise<number> {
  return (await playerOf(player_id))?.version ?? -1;
}

describe.each(KINDS)("%s", (kind, { table, no, rowOf, back, stored, others }) => {
  async function rowsOf(player_id: string): Promise<Record<string, unknown>[]> {
    return await t.sql<Record<string, unknown>>`
      select e.* from ${sql.table(table)} e join player p using (player_key)
      where p.player_id = ${player_id} order by e.id`;
  }

  const keyOf = (row: Row) => ({ [no]: row[no], created_at: row.created_at });

  test("are stored with their player, and the id encodes the time", async () => {
    const created_at = "2024-05-10T12:00:00.123456+08:00";
    const row = rowOf(fresh("p"), { created_at });
    expect(await feed(t.db, kind, [row])).toEqual(counted({ accepted: 1 }));
    expect(await playerOf(row.player_id)).toMatchObject({ user_name: row.user_name });
    const [kept, ...more] = await rowsOf(row.player_id);
    expect(more).toEqual([]);
    const at = new Date("2024-05-10T04:00:00.123Z");
    expect(kept).toMatchObject({ ...stored, [no]: row[no], created_at: at });
    expect(Math.floor(Number(kept?.["id"]) / 16_384) + Date.UTC(2020, 0, 1)).toBe(at.getTime());
  });

  test("sent again are duplicates, in the same call and in later ones", async () => {
    const row = rowOf(fresh("p"));
    const sameInstant = { ...row, created_at: row.created_at.replace("Z", "999+00:00") };
    expect(await feed(t.db, kind, [row, row, sameInstant])).toEqual(
      counted({ accepted: 1, duplicates: 2 }),
    );
    const before = await versionOf(row.player_id);
    expect(await feed(t.db, kind, [row, row])).toEqual(counted({ duplicates: 2 }));
    expect(await rowsOf(row.player_id)).toHaveLength(1);
    expect(await versionOf(row.player_id)).toBe(before);
  });

  test.each(others)("with %j under the same identity are a conflict", async (change) => {
    const row = rowOf(fresh("p"));
    const other = { ...row, ...change };
    const conflict = { code: "conflict", message: expect.stringContaining("other content") };
    expect(await feed(t.db, kind, [row, other])).toEqual(
      counted({ accepted: 1, rejected: [{ index: 1, ...conflict }] }),
    );
    expect(await feed(t.db, kind, [other, row])).toEqual(
      counted({ duplicates: 1, rejected: [{ index: 0, ...conflict }] }),
    );
  });

  test("of another player under the same identity are a conflict and add no player", async () => {
    const row = rowOf(fresh("p"));
    const stranger = fresh("p");
    const other = { ...row, player_id: stranger, user_name: `${stranger}-name` };
    const results = [await feed(t.db, kind, [row, other]), await feed(t.db, kind, [other])];
    expect(results.map(({ rejected }) => rejected[0]?.code)).toEqual(["conflict", "conflict"]);
    expect(await playerOf(stranger)).toBeUndefined();
  });

  describe("of one number", () => {
    const conflict = { code: "conflict", message: expect.stringContaining("within 24 hours") };
    const DAY = 86_400_000;
    /** Returns rows with one number at these milliseconds after midnight. A month begins between them. */
    const at = (player: string, number: string, ...offsets: number[]) =>
      offsets.map((ms) => {
        const created_at = new Date(Date.UTC(2024, 5, 1) + ms).toISOString();
        return rowOf(player, { [no]: number, created_at });
      });

    test("are rejected from the same player within 24 hours, before or after", async () => {
      const [first, ...later] = at(fresh("p"), fresh("n"), 0, 1, -1, DAY, -DAY, DAY + 1, -DAY - 1);
      expect(await feed(t.db, kind, [first])).toEqual(counted({ accepted: 1 }));
      expect(await feed(t.db, kind, [first, ...later, later[4]])).toMatchObject({
        accepted: 2,
        duplicates: 2,
        rejected: [1, 2, 3, 4].map((index) => ({ index, ...conflict })),
      });
    });

    test("are compared, row by row, with accepted rows before them", async () => {
      const rows = at(fresh("p"), fresh("n"), 0, 0.8 * DAY, 1.6 * DAY, 0.8 * DAY);
      expect(await feed(t.db, kind, rows)).toMatchObject({
        accepted: 2,
        rejected: [1, 3].map((index) => ({ index, ...conflict })),
      });
    });

    test("are separate for each player", async () => {
      const number = fresh("n");
      const rows = [...at(fresh("p"), number, 0), ...at(fresh("p"), number, 1)];
      expect(await feed(t.db, kind, rows)).toEqual(counted({ accepted: 2 }));
    });
  });

  test("raise their player's version, also when they arrive late", async () => {
    const row = rowOf(fresh("p"));
    await feed(t.db, kind, [row]);
    const before = await versionOf(row.player_id);
    const late = rowOf(row.player_id, { created_at: "2021-01-01T00:00:00Z" });
    expect(await feed(t.db, kind, [late])).toEqual(counted({ accepted: 1 }));
    expect(await versionOf(row.player_id)).toBeGreaterThan(before);
  });

  test("are marked as reversed, once, and stay", async () => {
    const row = rowOf(fresh("p"));
    const { player_id } = row;
    await feed(t.db, kind, [row]);
    const before = await versionOf(player_id);
    const taken = { ...keyOf(row), reason: `因${row.user_name}退款` };
    const again = { ...taken, reason: "another" };
    expect(await feed(t.db, back, [taken, again])).toEqual(counted({ accepted: 1, duplicates: 1 }));
    const marked = await rowsOf(player_id);
    const mark = back === "reversals" ? "reversal_reason" : "void_reason";
    const time = back === "reversals" ? "reversed_at" : "voided_at";
    expect(marked).toMatchObject([
      {
        [mark]: expect.stringMatching(/^因\uE000\d+\.1\uE001退款$/),
        [time]: expect.any(Date) as Date,
      },
    ]);
    expect(await versionOf(player_id)).toBe(before + 1);
    expect(await feed(t.db, back, [again])).toEqual(counted({ duplicates: 1 }));
    expect(await feed(t.db, kind, [row])).toEqual(counted({ duplicates: 1 }));
    expect(await versionOf(player_id)).toBe(before + 1);
    expect(await rowsOf(player_id)).toEqual(marked);
  });

  test("that are unknown cannot be reversed; the rest is", async () => {
    const row = rowOf(fresh("p"));
    await feed(t.db, kind, [row]);
    const key = keyOf(row);
    const rows = [
      { ...key, [no]: fresh("n") },
      { ...key, created_at: "2024-05-10T03:59:59.999Z" },
      { ...key, created_at: "1999-01-01T00:00:00Z" },
      { ...key, created_at: row.created_at.replace("Z", "999Z") },
    ];
    const result = await feed(t.db, back, rows);
    expect(result).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(result.rejected.map(({ index, code }) => [index, code])).toEqual(
      [0, 1, 2].map((index) => [index, "not_found"]),
    );
    expect(await feed(t.db, back, [{}])).toMatchObject({ accepted: 0, rejected: [{ index: 0 }] });
  });
});

describe("a deposit", () => {
  test("needs the account of its player, compared without case", async () => {
    const row = depositOf(fresh("p"));
    await feed(t.db, "deposits", [row]);
    const shouted = depositOf(row.player_id, { user_name: row.user_name.toUpperCase() });
    const wrong = depositOf(row.player_id, { user_name: "somebody else" });
    const taken = depositOf(fresh("p"), { user_name: row.user_name });
    expect(await feed(t.db, "deposits", [shouted, wrong, taken])).toMatchObject({
      accepted: 1,
      rejected: [1, 2].map((index) => ({ index, code: "player_mismatch" })),
    });
  });

  test("of a player whom the call itself adds must have the first name", async () => {
    const id = fresh("p");
    const result = await feed(t.db, "deposits", [
      depositOf(id, { user_name: "First" }),
      depositOf(id, { user_name: "second" }),
      depositOf(id, { user_name: "FIRST" }),
      depositOf(fresh("p"), { user_name: "first" }),
    ]);
    expect(result).toMatchObject({
      accepted: 2,
      duplicates: 0,
      rejected: [1, 3].map((index) => ({ index, code: "player_mismatch" })),
    });
    expect(await playerOf(id)).toMatchObject({ user_name: "First" });
  });

  test("is stored up to the last millisecond of a UTC month, in its month's partition", async () => {
    const id = fresh("p");
    const last = depositOf(id, { created_at: "2023-02-28T23:59:59.999Z" });
    const first = depositOf(id, { created_at: "2023-03-01T00:00:00Z" });
    expect(await feed(t.db, "deposits", [first, last])).toEqual(counted({ accepted: 2 }));
    const rows = await t.sql<{ part: string }>`
      select d.tableoid::regclass::text as part from deposit d
      where d.order_no in (${last.order_no}, ${first.order_no}) order by d.created_at`;
    expect(rows.map((row) => row.part)).toEqual(["deposit_202302", "deposit_202303"]);
  });

  test("is rejected before 2020 in UTC, and more than 24 hours ahead", async () => {
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const times = [at(23.9), at(24.1), "2020-01-01T00:00:00Z", "2019-12-31T23:59:59.999Z"];
    const rows = times.map((created_at) => depositOf(fresh("p"), { created_at }));
    expect(await feed(t.db, "deposits", rows)).toMatchObject({
      accepted: 2,
      rejected: [1, 3].map((index) => ({ index, code: "created_at" })),
    });
    // A rejected row creates no partition.
    const parts = await t.sql`select to_regclass('deposit_201912') as part`;
    expect(parts).toEqual([{ part: null }]);
  });

  test("gets one of the last free places of a millisecond that is nearly full", async () => {
    const player_id = fresh("p");
    const player_key = await makePlayer(t.db, player_id);
    const at = "2022-08-01T00:00:00.250Z";
    await t.sql`select ensure_month('deposit', '2022-08-01')`;
    const first = (Date.parse(at) - Date.UTC(2020, 0, 1)) * 16_384;
    await t.sql`
      insert into deposit (id, order_no, player_key, amount_cents, channel, client, created_at)
      select ${first}::bigint + slot, 'full' || slot, ${player_key}::bigint, 100, 1, 1, ${at}::timestamptz
      from generate_series(0, 16383) as slot where slot not in (0, 7000, 16383)`;
    const rows = Array.from({ length: 5 }, () => depositOf(player_id, { created_at: at }));
    const result = await feed(t.db, "deposits", rows);
    expect(result.accepted).toBe(3);
    expect(result.rejected).toHaveLength(2);
  });
});

test("a bet may have the number of a deposit", async () => {
  const no = fresh("n");
  const player = fresh("p");
  await feed(t.db, "deposits", [depositOf(player, { order_no: no })]);
  expect(await feed(t.db, "bets", [betOf(player, { bet_no: no })])).toEqual(
    counted({ accepted: 1 }),
  );
});

test("a call leaves one audit row with its result", async () => {
  const row = depositOf(fresh("p"));
  await clear(t.db, "audit_log");
  await feed(t.db, "deposits", [row, row, {}, { ...row, amount: "7" }]);
  expect(await rowsOf(t.db, "audit_log")).toMatchObject([
    { action: "ingest_deposits", after: { accepted: 1, updated: 0, duplicates: 1, rejected: 2 } },
  ]);
});
