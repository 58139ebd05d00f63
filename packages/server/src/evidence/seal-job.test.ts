import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { verifySeals } from "./verify-seals.ts";
import { inTransaction } from "#platform/db/connection";
import { anchorFile, appendAnchor, readAnchors } from "./anchors.ts";
import { stopIfRestored } from "./restored-database.ts";
import { startSealer } from "./seal-job.ts";
import { sealRecords } from "./seal-records.ts";
import { sealsMeasured } from "./seal-sql.ts";
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

test("by default, rows five seconds old are sealed and anchored at once; waiting rows are measured", async () => {
  const age = async () => {
    const ages = (await sealsMeasured(t.db).value()) as [{ list: string }, number][];
    expect(ages.map(([{ list }]) => list)).toEqual(["draw_record", "audit_log"]);
    return ages[0]?.[1];
  };
  expect(await age()).toBe(0);
  const hour = 3_600_000;
  const ms = [hour, hour - 1_000, 6_000].map((ago) => ({ created_at: new Date(Date.now() - ago) }));
  await makeRecords(t.db, round, player, ms);
  const oldest = Number(await age());
  expect([oldest >= 3_600, oldest < 3_660]).toEqual([true, true]);
  const anchored = () => readAnchors(anchorFile(folder));
  const sealer = startSealer({ db: t.db, anchors: anchorFile(folder), log });
  await vi.waitFor(async () => expect(await sealedCount()).toBe(3), 60_000);
  await vi.waitFor(async () => expect(await anchored()).toHaveLength(1), 10_000);
  await sealer.stop();
  expect(await anchored()).toHaveLength(1);
  expect(await age()).toBe(0);
});

test("records are sealed once by two processes side by side, and their end is anchored", async () => {
  const sealers = [start(), start()];
  // Record and payout are made in one transaction, as in a draw.
  const draw = async (count: number) => {
    const records = Array.from({ length: count }, () => ({}));
    await inTransaction(t.db, (tx) => makeRecords(tx, round, player, records));
  };
  const before = await sealedCount();
  await draw(2_500);
  await vi.waitFor(async () => expect(await sealedCount()).toBe(before + 2_500), 60_000);
  await draw(500);
  await vi.waitFor(async () => expect(await sealedCount()).toBe(before + 3_000), 60_000);
  await Promise.all(sealers.map((sealer) => sealer.stop()));

  const anchors = await readAnchors(anchorFile(folder));
  const rows = await t.sql<{ no: number; hash: string }>`
    select no, encode(hash, 'hex') as hash from seal order by no desc limit 1`;
  expect(anchors.map(({ no, hash }) => ({ no, hash }))).toContainEqual(rows[0]);
  expect(await t.sql`select from seal where cardinality(log_ids) > 2000`).toEqual([]);
  expect(await verifySeals(t.db, anchors)).toBeNull();
  expect(log.warn).not.toHaveBeenCalled();
});

test("stop anchors the last seal, also after passes without rows", async () => {
  const pace = { ...PACE, anchorEveryMs: 600_000 };
  const sealer = startSealer({ db: t.db, anchors: anchorFile(folder), log, pace });
  const before = await sealedCount();
  for (const count of [1, 2]) {
    await makeRecords(t.db, round, player, [{}]);
    await vi.waitFor(async () => expect(await sealedCount()).toBe(before + count), 60_000);
  }
  await setTimeout(10 * PACE.everyMs);
  await sealer.stop();
  const [last] = await t.sql`select max(no) as no from seal`;
  expect((await readAnchors(anchorFile(folder))).at(-1)).toMatchObject(last as object);
});

test("an unwritable file of anchors is logged and stops neither sealing nor the end", async () => {
  const told = { warn: vi.fn<typeof log.warn>() };
  const sealer = startSealer({ db: t.db, anchors: folder, log: told, pace: PACE });
  const before = await sealedCount();
  await makeRecords(t.db, round, player, [{}]);
  await vi.waitFor(async () => expect(await sealedCount()).toBe(before + 1), 60_000);
  await sealer.stop();
  const err: unknown = expect.objectContaining({ code: "EISDIR" });
  expect(told.warn).toHaveBeenLastCalledWith({ err }, "chain not anchored");
});

test("a record that commits after newer ones were sealed is sealed once by the next look back", async () => {
  // The first record of a prize in a round makes other transactions wait, because it adds the prize's name to the
  // rollups. So this record is committed first.
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
  for (const hash of ["a".repeat(63), "a".repeat(65), "A".repeat(64)]) {
    await writeFile(file, `${JSON.stringify({ ...anchor, hash })}\n`);
    await expect(readAnchors(file)).rejects.toThrow("line 1 is no anchor");
  }
  expect(await readAnchors(path.join(folder, "none"))).toEqual([]);
  await expect(readAnchors(folder)).rejects.toThrow("EISDIR");
});

test("anchors above the restored block are void; the file is private", async () => {
  const file = anchorFile(folder);
  const anchor = (no: number) => ({ no, hash: "a".repeat(64), at: "2026-01-01T00:00:00.000Z" });
  for (const line of [anchor(1), anchor(2), { restored_to: 1, at: "2026-01-02" }, anchor(3)]) {
    await appendAnchor(file, line);
  }
  expect((await readAnchors(file)).map(({ no }) => no)).toEqual([1, 3]);
  expect(((await stat(file)).mode & 0o777).toString(8)).toBe("600");
});

test("payouts stop if the chain ends before the last anchored block, not if it ends at it", async () => {
  const [made] = await makeRecords(t.db, round, player, [{}]);
  const { no = 0 } = (await inTransaction(t.db, (tx) => sealRecords(tx, -1_000))) ?? {};
  expect(await stopIfRestored(t.db, folder)).toBe(false);
  const line = { hash: "0".repeat(64), at: new Date().toISOString() };
  await appendAnchor(anchorFile(folder), { no, ...line });
  expect(await stopIfRestored(t.db, folder)).toBe(false);
  await appendAnchor(anchorFile(folder), { no: no + 1, ...line });
  expect(await stopIfRestored(t.db, folder)).toBe(true);
  const reason = `the database ends at block ${no}, block ${no + 1} was anchored: it was restored`;
  expect(
    await t.sql`
      select name, stopped_by, reason, p.state from stop_switch
      cross join payout p where log_id = ${made?.log_id}`,
  ).toEqual([{ name: "payouts", stopped_by: "start", reason, state: "unknown" }]);
});
