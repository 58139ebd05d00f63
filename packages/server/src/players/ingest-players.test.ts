import { counted, feed, fresh } from "#test/ingest-factory";
import { useTestDb } from "#test/test-db";
import { describe, expect, test } from "vitest";

const t = useTestDb();

async function playerOf(player_id: string) {
  return await t.db
    .selectFrom("player")
    .select(["user_name", "blocked", "version"])
    .where("player_id", "=", player_id)
    .executeTakeFirst();
}

describe("a player", () => {
  test("is accepted once, not blocked unless told", async () => {
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

  test("may change the case of its name", async () => {
    const player_id = fresh("p");
    await feed(t.db, "players", [{ player_id, user_name: player_id }]);
    const shouted = { player_id, user_name: player_id.toUpperCase() };
    expect(await feed(t.db, "players", [shouted])).toEqual(counted({ updated: 1 }));
    expect(await playerOf(player_id)).toMatchObject({ user_name: shouted.user_name });
  });

  test("may not take the name of another", async () => {
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

  test("is judged row by row, as if each came in a call of its own", async () => {
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

  test("gets a name that an earlier row of the call has given up, in a chain and in a ring", async () => {
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

  test("is rejected for what is wrong with it", async () => {
    const player_id = fresh("p");
    const result = await feed(t.db, "players", [
      { player_id: "", user_name: "x" },
      { player_id },
      { player_id, user_name: "x\u202ey" },
      { player_id, user_name: "x", blocked: "yes" },
      { player_id, user_name: "x", vip: true },
    ]);
    expect(result.rejected.map((row) => row.code)).toEqual([
      "player_id",
      "user_name",
      "user_name",
      "blocked",
      "vip",
    ]);
    expect(await playerOf(player_id)).toBeUndefined();
  });
});
