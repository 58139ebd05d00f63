/** Players from a platform, and rules of all ingest calls. */
import { lockPlayerNames } from "./player-sql.ts";
import { makeDrawable } from "#test/draw-factory";
import { counted, depositOf, feed, fresh } from "#test/ingest-factory";
import { hold } from "#test/races";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
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
  return await t.db
    .selectFrom("player")
    .select(["user_name", "blocked", "version"])
    .where("player_id", "=", player_id)
    .executeTakeFirst();
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
    await feed(t.db, "players", [row]);
    expect(await feed(t.db, "players", [{ ...row, blocked: true }])).toEqual(
      counted({ updated: 1 }),
    );
    expect(await playerOf(player_id)).toMatchObject({ blocked: true, version: 2 });
    expect(await feed(t.db, "players", [row])).toEqual(counted({ duplicates: 1 }));
    expect(await feed(t.db, "players", [{ player_id, user_name: `${player_id}x` }])).toEqual(
      counted({ updated: 1 }),
    );
    expect(await playerOf(player_id)).toMatchObject({ blocked: true, user_name: `${player_id}x` });
    expect(await feed(t.db, "players", [{ ...row, blocked: false }])).toEqual(
      counted({ updated: 1 }),
    );
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
    await feed(
      t.db,
      "players",
      ids.map((player_id) => ({ player_id, user_name: player_id })),
    );
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
