import { formatDate } from "@red/contract/datetime";
import { playerRoutes } from "@red/contract/player";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import type { MadePlayer, RecordValues } from "#test/factories";
import { depositOf, feed, takeBack } from "#test/ingest-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeEach, expect, test } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

const HOUR = 3_600_000;
/** Noon of today in Shanghai: the tests need no other time of day. */
const NOON = new Date(`${formatDate(new Date(), "Asia/Shanghai")}T12:00:00+08:00`).getTime();

const dayAt = (hours: number) => formatDate(new Date(NOON + hours * HOUR), "Asia/Shanghai");

const NOTHING = {
  vaildAmount: "0.00",
  totalPrice1: "0.00",
  totalPrice2: "0.00",
  totalPrice3: "0.00",
  day: null,
};

let player: MadePlayer;

beforeEach(async () => {
  await t.db.deleteFrom("activity").execute();
  player = await makePlayer(t.db);
});

async function info(player_name: string) {
  return await app.call(playerRoutes.info, { body: { player_name } });
}

/** A round that starts `hours` from today's noon, and the player's prizes in it. */
async function round(hours: number, wins: readonly RecordValues[] = [], values: object = {}) {
  const start_time = new Date(NOON + hours * HOUR);
  const made = await makeRound(t.db, {
    start_time,
    end_time: new Date(start_time.getTime() + HOUR),
    ...values,
  });
  await makeRecords(t.db, made, player, wins);
  return made;
}

async function deposit(hours: number, amount: string) {
  const { player_id, user_name } = player;
  const created_at = new Date(NOON + hours * HOUR).toISOString();
  const row = depositOf(player_id, { user_name, amount, created_at });
  await feed(t.db, "deposits", [row]);
  return { ...row, created_at };
}

test("shows the day's valid deposits, and the prizes of its first three rounds", async () => {
  const win = (award_price_cents: number, state: RecordValues["state"] = "paid"): RecordValues => ({
    award_price_cents,
    state,
  });
  // Not created in order of start; the fourth of the day is not shown.
  await round(3, [win(777)]);
  await round(-3, [win(100), win(23, "refused"), win(1, "closed"), win(2, "unknown")]);
  await round(1, [win(500)]);
  await round(-1);
  await round(-24, [win(9999)]);
  await deposit(-11.9, "10.00");
  await deposit(11.9, "2.00");
  await takeBack(t.db, [await deposit(0, "0.40")]);
  await deposit(-12.1, "70.00");
  await deposit(12.1, "80.00");
  expect(await info(player.user_name.toUpperCase())).toEqual({
    code: 200,
    msg: "success",
    data: {
      vaildAmount: "12.00",
      totalPrice1: "1.26",
      totalPrice2: "0.00",
      totalPrice3: "5.00",
      day: dayAt(0),
    },
  });
  const other = await makePlayer(t.db);
  expect((await info(other.user_name)).data).toEqual({ ...NOTHING, day: dayAt(0) });
});

test("rounds that start together are ordered by id", async () => {
  await round(0, [{ award_price_cents: 100 }]);
  await round(0, [{ award_price_cents: 200 }]);
  expect((await info(player.user_name)).data).toMatchObject({
    totalPrice1: "1.00",
    totalPrice2: "2.00",
  });
});

test("the day is the latest with a round, today or earlier, without deleted rounds", async () => {
  await round(24, [{ award_price_cents: 1 }]);
  await round(-24, [{ award_price_cents: 2 }], { deleted_at: new Date() });
  await round(-48, [{ award_price_cents: 300 }], { rounds_status: 0 });
  await round(-72, [{ award_price_cents: 4 }]);
  await deposit(-48, "5.55");
  await deposit(0, "6.66");
  expect((await info(player.user_name)).data).toEqual({
    ...NOTHING,
    vaildAmount: "5.55",
    totalPrice1: "3.00",
    day: dayAt(-48),
  });
});

test("without any round everything is zero", async () => {
  await deposit(0, "1.00");
  expect((await info(player.user_name)).data).toEqual(NOTHING);
});

test("needs a known account", async () => {
  const missing = "please enter the user account";
  expect(await info("")).toMatchObject({ code: 400, msg: missing });
  expect(await info("nobody")).toMatchObject({ code: 404, msg: "没有这个玩家账号" });
});
