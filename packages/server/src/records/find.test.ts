import { findRoutes } from "@red/contract/find";
import { makePlayer, makePool, makePrize, makeRecords, makeRound } from "#test/factories";
import { betOf, depositOf, feed } from "#test/ingest-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { describe, expect, test } from "vitest";

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

  test("are eight at most, and the answer says that there are more", async () => {
    for (let at = 0; at < 9; at += 1) {
      await makePlayer(t.db, { user_name: `many-${at}` });
    }
    const found = await find("many-");
    expect([found.players.length, found.players[0]?.user_name, found.more]).toEqual([
      8,
      "many-0",
      true,
    ]);
    expect((await find("many-0")).more).toBe(false);
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
