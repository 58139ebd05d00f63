/** Independent code derives every draw of a real round again from the round's evidence. */
import { createWriteStream } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createActivity } from "#rounds/change-activity";
import { createPrize } from "#pools/change-prize";
import { drawQueue } from "#draws/draw-queue";
import { roundProof } from "./round-proof.ts";
import { sealRecords } from "./seal-records.ts";
import { inTransaction } from "#platform/db/connection";
import { activityForm, OPERATOR, prizeForm, ZONE } from "#test/activity-factory";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import { makeFolder } from "#test/folder";
import { useTestDb, watched } from "#test/test-db";
import { runScript, sealAll } from "#test/verifier";
import { expect, test } from "vitest";

/** `npm run prove -- verifier` uses more draws. */
const DRAWS = Number(process.env["PROVE_N"] ?? 500);
const PER_PLAYER = 5;
const IN_FLIGHT = 512;
const HOUR_MS = 3_600_000;

const t = useTestDb();

/** Makes a round in which every player draws five times and the best prizes run out. */
async function makeOpenRound(): Promise<number> {
  return await inTransaction(t.db, async (tx) => {
    const prize = (name: string, weight: number, total: number, floors: 0 | 1) =>
      createPrize(tx, OPERATOR, {
        ...prizeForm({ pool_name: "proof", award_name: name }),
        weight,
        award_total: total,
        floors,
      });
    await prize("scarce", 30, Math.ceil(DRAWS / 20), 0);
    await prize("rare", 5, Math.ceil(DRAWS / 50), 0);
    await prize("usual", 60, Math.ceil(DRAWS / 2), 1);
    await prize("plenty", 5, DRAWS, 0);
    const form = activityForm({
      pool_name: "proof",
      rounds_name: "proof",
      condition_name: "0",
      condition_formula: "0",
      condition_type: "0",
      condition_value: "0",
      condition_times: PER_PLAYER,
      start_time: "2024-05-10 00:00:00",
      end_time: "2096-01-01 00:00:00",
    });
    return (await createActivity(tx, OPERATOR, form, ZONE)).data.id;
  });
}

/** Seals a block with one record of another round, dated `hours` from now. */
async function sealElsewhere(hours: number): Promise<void> {
  const created_at = new Date(Date.now() + hours * HOUR_MS);
  await makeRecords(t.db, await makeRound(t.db), await makePlayer(t.db), [{ created_at }]);
  await inTransaction(t.db, (tx) => sealRecords(tx, -24 * HOUR_MS));
}

async function drawAll(rounds_id: number): Promise<void> {
  const queue = drawQueue(t.db);
  let next = 0;
  const one = async () => {
    while (next < DRAWS) {
      const number = next;
      next += 1;
      const player_id = `p${Math.floor(number / PER_PLAYER)}`;
      await queue.draw("rk_proof", { request_id: `r${number}`, rounds_id, player_id });
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, one));
}

test(`${DRAWS} of ${DRAWS} draws are derived again outside`, { timeout: HOUR_MS }, async () => {
  const rounds_id = await makeOpenRound();
  await t.sql`
    insert into player (player_id, user_name)
    select 'p' || n, 'player' || n from generate_series(0, ${Math.ceil(DRAWS / PER_PLAYER)}::int) n`;
  await sealElsewhere(-9);
  await drawAll(rounds_id);
  await sealAll(t.db);
  await t.sql`
    update activity set start_time = now() - interval '1 hour', end_time = now()
    where id = ${rounds_id}`;
  await sealElsewhere(2);
  await sealElsewhere(3);
  const file = path.join(makeFolder(), "proof.jsonl");
  await pipeline(roundProof(t.db, rounds_id), createWriteStream(file));
  const { out: verdict } = await runScript(process.execPath, ["tools/verify-round.mjs", file]);
  process.stdout.write(verdict);
  expect(verdict).toContain(`${DRAWS} of ${DRAWS} draws derived again, 0 not sealed yet`);
  // The evidence starts after the first block of the chain and ends before the last block.
  const blocks = Math.ceil(DRAWS / 2_000) + 1;
  expect(verdict).toContain(` ${blocks} blocks follow from each other`);
  const rows = await t.sql<{ fallbacks: number; exhausted: number }>`
    select count(fallback_ticket) as fallbacks,
      count(*) filter (where exhausted <> '{}') as exhausted from draw_record`;
  // The pool was nearly empty, so fallbacks happened too.
  expect(rows[0]?.exhausted).toBeGreaterThan(0);
  expect(rows[0]?.fallbacks).toBeGreaterThan(0);
});

test("reads versions and unsealed records in pages", async () => {
  const round = await makeRound(t.db);
  const records = Array.from({ length: 20 }, (_, at) => ({ record: { pool_version: at + 1 } }));
  const made = await makeRecords(t.db, round, await makePlayer(t.db), records);
  await t.sql`
    insert into pool_version (pool_id, version, prizes)
    select ${round.pool_id}, n, '[]' from generate_series(1, 20) n on conflict do nothing`;
  let longest = 0;
  const { db } = watched(t, (rows) => {
    longest = Math.max(longest, rows.filter((row) => "text" in row).length);
  });
  const lines = (await text(roundProof(db, round.rounds_id))).trimEnd().split("\n");
  const ofKind = (kind: string) => lines.filter((line) => line.startsWith(`{"kind":"${kind}"`));
  expect(ofKind("pool").map((line) => JSON.parse(line).version)).toEqual(
    records.map(({ record }) => record.pool_version),
  );
  expect(ofKind("record")).toHaveLength(made.length);
  expect(longest).toBeLessThan(records.length);
});
