/** What platform and operators can read about the chances of a player and about the latest day. */
import { formatDate } from "@red/contract/platform/datetime";
import { playerRoutes } from "@red/contract/chances/player";
import { makePlayer, makeRecords, makeRound as makeAnyRound } from "#test/factories";
import type { MadePlayer, RecordValues } from "#test/factories";
import { depositOf, feed, fresh, makeRound, takeBack } from "#test/ingest-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeEach, describe, expect, test } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

const NOW = Date.now();
const minutes = (count: number) => new Date(NOW + count * 60_000);

interface Rounds {
  readonly rounds: { readonly rounds_id: number }[];
}

async function get(path: string) {
  const response = await app.open("GET", path);
  return { status: response.statusCode, body: response.json<unknown>() };
}

test("active rounds are listed with their rule as a sentence", async () => {
  const name = fresh("周末红包");
  const running = await makeRound(t.db, {
    rounds_name: name,
    start_time: minutes(-10),
    end_time: minutes(10),
  });
  const over = await makeRound(t.db);
  const active = (await app.open("GET", "/open/v1/rounds?active=1")).json<Rounds>();
  expect(active.rounds.map((round) => round.rounds_id)).toEqual([running]);
  expect(active.rounds[0]).toMatchObject({
    rounds_name: name,
    tag: "weekend",
    start_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+08:00$/),
    rule_text: expect.stringContaining(
      "2024-05-10 00:00:00 至 2024-05-10 23:59:59 的有效存款合计每满 120",
    ),
  });
  const all = (await app.open("GET", "/open/v1/rounds")).json<Rounds>();
  expect(all.rounds.map((round) => round.rounds_id)).toEqual([running, over]);
  expect(all.rounds[1]).toMatchObject({
    start_time: "2024-05-10T20:00:00.000+08:00",
    end_time: "2024-05-10T22:00:00.000+08:00",
  });
});

test("chances include the amount missing for the next draw", async () => {
  const round = await makeRound(t.db, {
    achieve_start_time: minutes(-60),
    achieve_end_time: minutes(60),
    start_time: minutes(-10),
    end_time: minutes(10),
  });
  const player = fresh("p");
  const deposits = [depositOf(player, { amount: "228", created_at: minutes(-5).toISOString() })];
  await app.open("POST", "/open/v1/deposits", { deposits });
  const path = `/open/v1/rounds/${round}/chances?player_id=${player}`;
  expect(await get(path)).toEqual({
    status: 200,
    body: {
      total: 1,
      already: 0,
      remain: 1,
      next: { source: "deposit", missing: "12.00" },
      limited_by: null,
    },
  });
  const over = await makeRound(t.db);
  expect(await get(`/open/v1/rounds/${over}/chances?player_id=${player}`)).toEqual({
    status: 200,
    body: { total: 0, already: 0, remain: 0, next: null, limited_by: null },
  });
});

test("chances of an unknown round or player are not found", async () => {
  const round = await makeRound(t.db);
  const player = fresh("p");
  await makePlayer(t.db, { player_id: player });
  expect(await get(`/open/v1/rounds/999999/chances?player_id=${player}`)).toMatchObject({
    status: 404,
    body: { code: "round_not_found" },
  });
  expect(await get(`/open/v1/rounds/${round}/chances?player_id=nobody`)).toMatchObject({
    status: 404,
    body: { code: "player_not_found" },
  });
  expect(await get(`/open/v1/rounds/${round}/chances`)).toMatchObject({
    status: 400,
    body: { code: "bad_input" },
  });
});

const ask = (body: Parameters<typeof app.call<typeof playerRoutes.drawInfo>>[1]["body"]) =>
  app.call(playerRoutes.drawInfo, { body });

test("a player's draws are found by day and name or by id, with the account in any case", async () => {
  const rounds_name = fresh("周末红包");
  const rounds_id = await makeRound(t.db, { rounds_name });
  const player = fresh("p");
  await feed(t.db, "deposits", [depositOf(player, { amount: "360" })]);
  const user_name = `${player}-name`;
  const answer = { code: 200, data: { total: 3, already: 0, remain: 3 } };
  expect(await ask({ start_date: "2024-05-10", rounds_name, user_name })).toMatchObject(answer);
  expect(await ask({ rounds_id, user_name: user_name.toUpperCase() })).toMatchObject(answer);
  expect(await ask({ rounds_id, rounds_name: "", user_name })).toMatchObject(answer);
});

test("an unknown player and an unknown or deleted activity are not found", async () => {
  const rounds_name = fresh("周末红包");
  const rounds_id = await makeRound(t.db, { rounds_name });
  const player = fresh("p");
  await feed(t.db, "deposits", [depositOf(player)]);
  const user_name = `${player}-name`;
  expect(await ask({ rounds_id, user_name: "nobody" })).toMatchObject({
    code: 404,
    msg: "没有这个玩家账号",
  });
  const noActivity = { code: 404, msg: "活动不存在或已删除" };
  const byName = { start_date: "2024-05-10", rounds_name, user_name };
  const others = [{ rounds_id: 999_999 }, { rounds_id: Number.MAX_SAFE_INTEGER }];
  for (const other of others) {
    expect(await ask({ ...other, user_name })).toMatchObject(noActivity);
  }
  expect(await ask({ ...byName, start_date: "2024-05-11" })).toMatchObject(noActivity);
  expect(await ask(byName)).toMatchObject({ code: 200 });
  await t.db.updateTable("activity").set({ deleted_at: new Date() }).execute();
  expect(await ask(byName)).toMatchObject(noActivity);
  expect(await ask({ rounds_id, user_name })).toMatchObject(noActivity);
});

test("missing fields are reported in the order of the form", async () => {
  const missing = (body: object) => ask(body as Parameters<typeof ask>[0]);
  expect(await missing({})).toMatchObject({ code: 400, msg: "请填写用户名" });
  expect(await missing({ user_name: "x" })).toMatchObject({ code: 400, msg: "请选择活动名称" });
  expect(await missing({ user_name: "x", rounds_name: "y" })).toMatchObject({
    code: 400,
    msg: "请选择活动日期",
  });
});

const HOUR = 3_600_000;
/** Noon of today in Shanghai. Fixed, so that the tests do not depend on the time of day. */
const NOON = new Date(`${formatDate(new Date(), "Asia/Shanghai")}T12:00:00+08:00`).getTime();

const dayAt = (hours: number) => formatDate(new Date(NOON + hours * HOUR), "Asia/Shanghai");

const NOTHING = {
  vaildAmount: "0.00",
  totalPrice1: "0.00",
  totalPrice2: "0.00",
  totalPrice3: "0.00",
  day: null,
};

describe("the red-packet information of a player (spec §3)", () => {
  let player: MadePlayer;

  beforeEach(async () => {
    await t.db.deleteFrom("activity").execute();
    player = await makePlayer(t.db);
  });

  async function info(player_name: string) {
    return await app.call(playerRoutes.info, { body: { player_name } });
  }

  /** Creates a round that starts `hours` after noon today, with the prizes of the player in it. */
  async function round(hours: number, wins: readonly RecordValues[] = [], values: object = {}) {
    const start_time = new Date(NOON + hours * HOUR);
    const made = await makeAnyRound(t.db, {
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
    const win = (
      award_price_cents: number,
      state: RecordValues["state"] = "paid",
    ): RecordValues => ({
      award_price_cents,
      state,
    });
    // The rounds are not created in order of start, and the fourth round of the day is not shown.
    await round(3, [win(777)]);
    await round(-12, [win(100), win(23, "refused"), win(1, "closed"), win(2, "unknown")]);
    await round(1, [win(500)]);
    await round(-1);
    await round(-12.001, [win(9999)]);
    await deposit(-12, "10.00");
    await deposit(11.9999, "2.00");
    await takeBack(t.db, [await deposit(0, "0.40")]);
    await deposit(-12.0001, "70.00");
    await deposit(12, "80.00");
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
    await round(12, [{ award_price_cents: 1 }]);
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
    const msg = "没有这个玩家账号";
    const errors = [{ field: "player_name", msg }];
    expect(await info("nobody")).toMatchObject({ code: 404, msg, data: { errors } });
  });
});
