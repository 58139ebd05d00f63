import { lockPlayerNames } from "./player-sql.ts";
import { makeDrawable } from "#test/draw-factory";
import { betOf, counted, depositOf, fresh } from "#test/ingest-factory";
import { hold } from "#test/races";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

async function post(path: string, body: object) {
  const response = await app.open("POST", path, body);
  return { status: response.statusCode, body: response.json<unknown>() };
}

test("players, deposits, bets and what takes them back are fed in by signed calls", async () => {
  const player_id = fresh("p");
  const deposit = depositOf(player_id);
  const bet = betOf(player_id);
  const { order_no, created_at } = deposit;
  const players = [{ player_id, user_name: deposit.user_name }];
  const accepted = { status: 200, body: counted({ accepted: 1 }) };
  expect(await post("/open/v1/players", { players })).toEqual(accepted);
  expect(await post("/open/v1/deposits", { deposits: [deposit] })).toEqual(accepted);
  expect(await post("/open/v1/bets", { bets: [bet] })).toEqual(accepted);
  const reversals = [{ order_no, created_at, reason: "charge-back" }];
  expect(await post("/open/v1/deposits/reversals", { reversals })).toEqual(accepted);
  const voids = [{ bet_no: bet.bet_no, created_at: bet.created_at }];
  expect(await post("/open/v1/bets/voids", { voids })).toEqual(accepted);
  expect(await post("/open/v1/bets/voids", { voids })).toEqual({
    status: 200,
    body: counted({ duplicates: 1 }),
  });
});

test("a bad row is named by its place and field; the others are taken", async () => {
  const rows = [depositOf(fresh("p")), depositOf(fresh("p"), { amount: "0.001" })];
  const { status, body } = await post("/open/v1/deposits", { deposits: rows });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    accepted: 1,
    rejected: [{ index: 1, code: "amount", message: expect.stringContaining("amount") }],
  });
});

test("5,000 rows are taken in one call, more are refused as a whole", async () => {
  const rows = Array.from({ length: 5_001 }, (_, at) => depositOf(`many-${at % 900}`));
  expect(await post("/open/v1/deposits", { deposits: rows })).toMatchObject({
    status: 400,
    body: { code: "bad_input" },
  });
  expect(await post("/open/v1/deposits", { deposits: rows.slice(1) })).toEqual({
    status: 200,
    body: counted({ accepted: 5_000 }),
  });
});

test("a body that is no list of rows is refused", async () => {
  const bodies = [{}, { deposits: "x" }, { deposits: [], more: 1 }, { bets: [] }];
  for (const body of bodies) {
    expect(await post("/open/v1/deposits", body)).toMatchObject({
      status: 400,
      body: { code: "bad_input" },
    });
  }
  expect(await post("/open/v1/deposits", { deposits: [] })).toEqual({
    status: 200,
    body: counted({}),
  });
});

test("money that is sent as a number is refused, and told how to send it", async () => {
  const rows = [{ ...depositOf(fresh("p")), amount: 10.5 }];
  const { body } = await post("/open/v1/deposits", { deposits: rows });
  const message = 'amount 是金额，请以字符串发送，例如 "12.50"';
  expect(body).toEqual(counted({ rejected: [{ index: 0, code: "amount", message }] }));
});

test("a body that names a field twice is refused, whichever of the two is right", async () => {
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

test("eight calls are taken on at once; the ninth is told to come back, and draws go on", async () => {
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
