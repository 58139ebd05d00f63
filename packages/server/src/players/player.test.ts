import { playerRoutes } from "@red/contract/player";
import { depositOf, feed, fresh, makeRound } from "#test/ingest-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

const ask = (body: Parameters<typeof app.call<typeof playerRoutes.drawInfo>>[1]["body"]) =>
  app.call(playerRoutes.drawInfo, { body });

test("draws of a player are told by day and name or by number, the account in either case", async () => {
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

test("an unknown player or activity is not found", async () => {
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
  expect(await ask({ rounds_id: 999_999, user_name })).toMatchObject(noActivity);
  expect(await ask({ start_date: "2024-05-11", rounds_name, user_name })).toMatchObject(noActivity);
});

test("what is missing is asked for in the order of the form", async () => {
  const missing = (body: object) => ask(body as Parameters<typeof ask>[0]);
  expect(await missing({})).toMatchObject({ code: 400, msg: "请填写用户名" });
  expect(await missing({ user_name: "x" })).toMatchObject({ code: 400, msg: "请选择活动名称" });
  expect(await missing({ user_name: "x", rounds_name: "y" })).toMatchObject({
    code: 400,
    msg: "请选择活动日期",
  });
});
