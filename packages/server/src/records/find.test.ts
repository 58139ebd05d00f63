import { findRoutes } from "@red/contract/records/find";
import { openSession } from "#test/contract-world";
import {
  makeOperator,
  makePlayer,
  makePool,
  makePrize,
  makeRecords,
  makeRound,
} from "#test/factories";
import { betOf, depositOf, feed } from "#test/ingest-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { describe, expect, test } from "vitest";
import { findHandlers } from "./find-routes.ts";

const t = useTestDb();
const app = useTestApp(t);

const find = (text: string) => app.read(findRoutes.find, { body: { text } });

const NOTHING = {
  players: [],
  records: [],
  orders: [],
  rounds: [],
  pools: [],
  prizes: [],
  more: false,
};

describe("players", () => {
  async function names(text: string): Promise<string[]> {
    return (await find(text)).players.map(({ user_name }) => user_name);
  }

  test("are found by the start of the account in any case, and by the whole player_id", async () => {
    await makePlayer(t.db, { player_id: "10023", user_name: "Zed_01" });
    await makePlayer(t.db, { player_id: "zed_0", user_name: "other" });
    await makePlayer(t.db, { user_name: "zedx01" });
    await makePlayer(t.db, { user_name: "zed%01", blocked: true });
    expect(await names("zed")).toEqual(["zed%01", "Zed_01", "zedx01"]);
    expect(await names("ZED_0")).toEqual(["Zed_01"]);
    expect(await names("zed_0")).toEqual(["other", "Zed_01"]);
    expect(await names("zed%")).toEqual(["zed%01"]);
    expect(await names("10023")).toEqual(["Zed_01"]);
    expect(await names("1002")).toEqual([]);
    expect(await names("ed_01")).toEqual([]);
    expect((await find("zed%")).players).toMatchObject([{ blocked: true }]);
  });

  test("are found only by the whole account without the permission to see accounts", async () => {
    await makePlayer(t.db, { player_id: "20023", user_name: "Hid_01" });
    await makeOperator(t.db, "viewer", { roles: ["viewer"] });
    const session = { token: await openSession(t.db, "viewer") };
    const texts = ["hID_01", "hid_0", "hid", "20023"];
    const found = texts.map((text) => app.read(findRoutes.find, { body: { text } }, session));
    expect((await Promise.all(found)).map(({ players }) => players.length)).toEqual([1, 0, 0, 0]);
  });
});

test("a record is found by its payout number, a deposit and a bet by the platform's", async () => {
  const player = await makePlayer(t.db);
  const [record] = await makeRecords(t.db, await makeRound(t.db), player, [{ state: "paid" }]);
  const { trans_sn = "" } = record ?? {};
  expect(await find(trans_sn)).toEqual({
    ...NOTHING,
    records: [{ trans_sn, user_name: player.user_name, award_name: expect.any(String) as string }],
  });
  const pasted = ` ${trans_sn.slice(0, 4)} ${trans_sn.slice(4, 24).toUpperCase()}…`;
  expect((await find(pasted)).records).toMatchObject([{ trans_sn }]);
  expect(await find(trans_sn.slice(1))).toEqual(NOTHING);
  expect(await find(trans_sn.slice(0, 5))).toEqual(NOTHING);
  const { player_id, user_name } = player;
  const fields = { user_name, created_at: "2024-05-10T12:00:00Z" };
  await feed(t.db, "deposits", [depositOf(player_id, { ...fields, order_no: "no-77" })]);
  await feed(t.db, "bets", [betOf(player_id, { ...fields, bet_no: "no-77" })]);
  const order = { number: "no-77", user_name, created_at: "2024-05-10 20:00:00" };
  expect((await find("no-77")).orders).toEqual([
    { kind: "deposit", ...order },
    { kind: "bet", ...order },
  ]);
});

test("rounds, pools and prizes are found by a part of their name, a round by its number too", async () => {
  const pool_id = await makePool(t.db, { pool_name: "灯会100%奖池" });
  await makePrize(t.db, { pool_id, award_name: "灯会红包" });
  const { rounds_id } = await makeRound(t.db, { rounds_name: "元宵灯会" });
  const found = await find("灯会");
  expect(found).toMatchObject({
    rounds: [{ id: rounds_id, rounds_name: "元宵灯会" }],
    pools: [{ id: pool_id, pool_name: "灯会100%奖池" }],
    prizes: [{ pool_name: "灯会100%奖池", award_name: "灯会红包" }],
  });
  expect((await find(String(rounds_id))).rounds.map(({ id }) => id)).toContain(rounds_id);
  expect((await find("100%")).pools).toHaveLength(1);
  expect(await find("1_0")).toEqual(NOTHING);
  const empty = await app.call(findRoutes.find, { body: { text: "  " } });
  expect(empty).toMatchObject({ code: 400, msg: "请输入要查找的内容" });
});

test("at most eight of each kind are found, in order, none deleted, and whether there are more", async () => {
  const gone = { deleted_at: new Date() };
  // These ids occur in no other name.
  await t.sql`select setval(pg_get_serial_sequence('activity', 'id'), 70000000)`;
  const round = await makeRound(t.db, { rounds_name: "元旦场", ...gone });
  const { rounds_id, pool_id } = round;
  await makePool(t.db, { pool_name: "元旦池", ...gone });
  const deleted = await makePool(t.db, { pool_name: "deleted", ...gone });
  await makePrize(t.db, { pool_id: deleted, award_name: "元旦奖" });
  await makePrize(t.db, { pool_id, award_name: "元旦奖", ...gone });
  const player = await makePlayer(t.db, { user_name: "lone" });
  const { player_id, user_name } = player;
  const number = `${rounds_id + 9}`;
  const found = async (text: string) => {
    const { more, ...kinds } = await find(text);
    const rows = Object.values(kinds).flat();
    return [
      more,
      rows
        .map(
          (row) =>
            Object.values(row)
              .join()
              .match(/\d(?=!|-10 20:00)/)?.[0],
        )
        .join(""),
    ];
  };
  const TEXTS = ["many-", "abcdef", "no-9", "元旦场", "元旦池", "元旦奖"];
  for (let n = 1; n <= 9; n += 1) {
    await makePlayer(t.db, { user_name: `many-${n}!` });
    await makePool(t.db, { pool_name: `元旦池 ${n}!` });
    await makePrize(t.db, { pool_id, award_name: `元旦奖 ${n}!` });
    const start_time = new Date(Date.now() - Math.ceil(n / 2) * 3_600_000);
    await makeRound(t.db, { pool_id, rounds_name: `元旦场 ${n}! ${number}`, start_time });
    const payout = { trans_sn: `abcdef${n}!` };
    await makeRecords(t.db, round, player, [{ payout }]);
    const created_at = `2024-0${n}-10T12:00:00Z`;
    const order = { order_no: "no-9", user_name, created_at };
    await feed(t.db, "deposits", [depositOf(player_id, order)]);
    if (n === 8) {
      const mores = await Promise.all(TEXTS.slice(1).map(async (text) => (await found(text))[0]));
      expect(new Set(mores)).toEqual(new Set([false]));
    }
  }
  const all = await Promise.all(TEXTS.map(found));
  expect(all).toEqual([
    [true, "12345678"],
    [true, "98765432"],
    [true, "98765432"],
    [true, "21436587"],
    [true, "98765432"],
    [true, "98765432"],
  ]);
  expect(await found(number)).toEqual([true, "92143658"]);
});

test.each([
  ["player.read", ["players", "orders"]],
  ["record.read", ["records"]],
  ["activity.read", ["rounds"]],
  ["pool.read", ["pools", "prizes"]],
  ["account.see", []],
] as const)("with %s only %j are searched", async (permission, kinds) => {
  const text = "abcdef77";
  const player = await makePlayer(t.db, { user_name: `${text} ${permission}` });
  const pool_id = await makePool(t.db, { pool_name: `${text} ${permission}` });
  await makePrize(t.db, { pool_id, award_name: text });
  const round = await makeRound(t.db, { pool_id, rounds_name: `${text} ${permission}` });
  const payout = { trans_sn: `${text}${pool_id}` };
  await makeRecords(t.db, round, player, [{ payout }]);
  const order = { order_no: text, user_name: player.user_name };
  await feed(t.db, "deposits", [depositOf(player.player_id, order)]);
  const operator = { permissions: [permission, "account.see"] };
  const call = { db: t.db, body: { text }, operator, services: app.services };
  const { data } = await findHandlers.find(
    call as unknown as Parameters<typeof findHandlers.find>[0],
  );
  const found = Object.entries(data ?? {}).filter(
    ([, rows]) => Array.isArray(rows) && rows.length > 0,
  );
  expect(found.map(([kind]) => kind)).toEqual(kinds);
});
