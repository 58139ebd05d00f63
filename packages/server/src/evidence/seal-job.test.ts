import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { verifySeals } from "./verify-seals.ts";
import { inTransaction } from "#platform/connection";
import { anchorFile, readAnchors } from "./anchors.ts";
import { startSealer } from "./seal-job.ts";
import { sealRecords } from "./seal-records.ts";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import type { MadePlayer, MadeRound } from "#test/factories";
import { makeFolder } from "#test/folder";
import { hold, untilWaiting } from "#test/races";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeEach, expect, test, vi } from "vitest";

const PACE = {
  everyMs: 20,
  settleMs: 0,
  anchorEveryMs: 0,
  lateEveryMs: 20,
  thoroughEveryMs: 600_000,
};
const log = { warn: vi.fn<(...words: unknown[]) => void>() };

const t = useTestDb();
let folder = "";
let round: MadeRound;
let player: MadePlayer;

beforeEach(async () => {
  folder = makeFolder();
  round = await makeRound(t.db);
  player = await makePlayer(t.db);
});

function start() {
  return startSealer({ db: t.db, anchors: anchorFile(folder), log, pace: PACE });
}

async function sealedCount(): Promise<number> {
  const rows = await t.sql<{ count: number }>`
    select coalesce(sum(cardinality(log_ids)), 0)::bigint as count from seal`;
  return rows[0]?.count ?? 0;
}

test("records are sealed once by two processes side by side, and their end is anchored", async () => {
  const sealers = [start(), start()];
  // Record and payout in one transaction, like a draw.
  const draw = async (count: number) => {
    const records = Array.from({ length: count }, () => ({}));
    await inTransaction(t.db, (tx) => makeRecords(tx, round, player, records));
  };
  await draw(2_500);
  await vi.waitFor(async () => expect(await sealedCount()).toBe(2_500), 60_000);
  await draw(500);
  await vi.waitFor(async () => expect(await sealedCount()).toBe(3_000), 60_000);
  await Promise.all(sealers.map((sealer) => sealer.stop()));

  const anchors = await readAnchors(anchorFile(folder));
  const rows = await t.sql<{ no: number; hash: string }>`
    select no, encode(hash, 'hex') as hash from seal order by no desc limit 1`;
  expect(anchors.map(({ no, hash }) => ({ no, hash }))).toContainEqual(rows[0]);
  expect(await verifySeals(t.db, anchors)).toBeNull();
  expect(log.warn).not.toHaveBeenCalled();
});

test("a record that commits after newer ones were sealed is sealed at the next look back, once", async () => {
  // The first record of a prize in a round makes others wait for its name in the rollups.
  await makeRecords(t.db, round, player, [{}]);
  const before = (await sealedCount()) + 1;
  const slow = await t.db.startTransaction().execute();
  await makeRecords(slow, round, player, [{}, {}]);
  await makeRecords(t.db, round, player, [{}]);
  const sealer = start();
  await vi.waitFor(async () => expect(await sealedCount()).toBe(before + 1), 60_000);
  await slow.commit().execute();
  await vi.waitFor(async () => expect(await sealedCount()).toBe(before + 3), 60_000);
  await sealer.stop();
  expect(await verifySeals(t.db, await readAnchors(anchorFile(folder)))).toBeNull();
});

test("a new player's record that commits while salts are made waits for the next block", async () => {
  const late = await makePlayer(t.db);
  await makeRecords(t.db, round, player, [{}]);
  const held = await hold(t.db, (tx) =>
    sql`select from player where player_key = ${player.player_key} for update`.execute(tx),
  );
  const seal = () => inTransaction(t.db, (tx) => sealRecords(tx, 0));
  const sealing = seal();
  await untilWaiting(t.db);
  await makeRecords(t.db, round, late, [{}]);
  await held.commit();
  expect([(await sealing)?.count, (await seal())?.count]).toEqual([1, 1]);
  expect(await verifySeals(t.db, [])).toBeNull();
});

test("an anchor that a crash cut short is ignored; any other line must be an anchor", async () => {
  const file = anchorFile(folder);
  const anchor = { no: 1, hash: "a".repeat(64), at: "2026-01-01T00:00:00.000Z" };
  await writeFile(file, `${JSON.stringify(anchor)}\n{"no":2,"ha`);
  expect(await readAnchors(file)).toEqual([anchor]);
  await writeFile(file, `${await readFile(file, "utf8")}\n${JSON.stringify(anchor)}\n`);
  await expect(readAnchors(file)).rejects.toThrow("line 2 is no anchor");
  expect(await readAnchors(path.join(folder, "none"))).toEqual([]);
});
