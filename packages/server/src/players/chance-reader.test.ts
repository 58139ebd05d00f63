import { NO_FACTS } from "@red/engine/chances";
import { chanceMemory, chanceReader } from "./chance-reader.ts";
import { selectRound } from "./chance-sql.ts";
import { selectChances } from "#test/chances";
import { depositOf, feed, fresh, makePlayer, makeRound, takeBack } from "#test/ingest-factory";
import { useTestDb, watched } from "#test/test-db";
import { expect, test } from "vitest";

const t = useTestDb();

test("the memory keeps what was used last, over all rounds, and forgets a round at once", () => {
  const memory = chanceMemory("Asia/Shanghai", 10);
  const keep = (rounds_id: number, key: number) =>
    memory.keep(rounds_id, 1, [
      {
        player_key: key,
        player_id: `p${key}`,
        version: 1,
        draw_version: 0,
        blocked: false,
        excluded: false,
        facts: NO_FACTS,
        earned: 0,
        already: 0,
        earned_used: 0,
        drawn_today: 0,
        extras: [],
      },
    ]);
  for (let player = 0; player < 8; player += 1) {
    keep(1, player);
  }
  keep(2, 1);
  memory.playersOf(1);
  keep(3, 1);
  keep(3, 2);
  expect(memory.size()).toBe(10);
  expect(memory.playersOf(2).size).toBe(0);
  expect(memory.playersOf(1).size).toBe(8);
  keep(1, 0);
  keep(1, 9);
  expect(memory.playersOf(3).size).toBe(1);
  memory.forget(1);
  expect(memory.size()).toBe(1);
});

test("calls at once share their statements; each answer is what a read of its own says", async () => {
  const rounds_id = await makeRound(t.db);
  const round = await selectRound(t.db, rounds_id);
  if (round === null) {
    throw new Error("the round was made before");
  }
  const ids = Array.from({ length: 30 }, () => fresh("p"));
  const keys = await Promise.all(ids.map((id) => makePlayer(t.db, id)));
  const deposits = ids.map((id, at) => depositOf(id, { amount: `${60 * at + 1}` }));
  await feed(t.db, "deposits", deposits);
  await t.db
    .insertInto("extra_time")
    .values(
      [0, 0, 3, 5].map((at, hours) => ({
        player_key: keys[at] ?? 0,
        tag: round.tag,
        granted_by: "root-op",
        expire_time: new Date(Date.now() + (hours - 1) * 3_600_000),
      })),
    )
    .execute();
  let statements = 0;
  const reader = chanceReader(watched(t, () => (statements += 1)).db, chanceMemory());
  const read = async () => await Promise.all(ids.map((id) => reader.read(rounds_id, id)));
  const alone = async () => await Promise.all(keys.map((key) => selectChances(t.db, round, key)));
  expect(await read()).toEqual(await alone());
  expect(statements).toBe(2);
  await takeBack(t.db, deposits.slice(20));
  await t.db.updateTable("extra_time").set({ used_log_id: 1, used_rounds_id: rounds_id }).execute();
  expect(await read()).toEqual(await alone());
  expect(statements).toBe(4);
  expect(await read()).toEqual(await alone());
  expect(statements).toBe(5);
  expect(await reader.read(rounds_id, "nobody")).toBe("player_not_found");
  expect(await reader.read(rounds_id + 1_000, ids[0] ?? "")).toBe("round_not_found");
  expect(await reader.read(2 ** 40, ids[0] ?? "")).toBe("round_not_found");
});
