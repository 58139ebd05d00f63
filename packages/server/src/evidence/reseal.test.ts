/** Blocks of an earlier release, and records of a player whose salt is gone. */
import { inTransaction } from "#platform/connection";
import { OPERATOR } from "#test/activity-factory";
import { makeHealthyPromotion } from "#test/healthy-promotion";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { erasePlayer } from "./erase-player.ts";
import { formerRecordHash, formerRoot } from "./former-seal.ts";
import { reseal } from "./reseal.ts";
import { blockHash, CHAIN_START, commitment, roundSalt } from "./seal-chain.ts";
import { sealRecords } from "./seal-records.ts";
import { selectLastSeal, selectSealFacts, selectSeals } from "./seal-sql.ts";
import { verifySeals } from "./verify-seals.ts";
import type { KnownEnd } from "./verify-seals.ts";

const t = useTestDb();
const seal = () => inTransaction(t.db, (tx) => sealRecords(tx, 0, 9));

/** Turns all blocks into those of the release before, with its hashes. */
async function makeFormer(): Promise<void> {
  await sql`alter table seal drop constraint seal__root_length`.execute(t.db);
  let prev: Buffer = CHAIN_START;
  for (const block of await selectSeals(t.db, 0, 1_000)) {
    const facts = await selectSealFacts(t.db, block);
    const hashes = Buffer.concat(facts.map(formerRecordHash));
    const hash = blockHash(prev, block.no, formerRoot({ ...block, hashes }));
    await sql`update seal set root = null, hashes = ${hashes}, prev = ${prev}, hash = ${hash}
      where no = ${block.no}`.execute(t.db);
    prev = hash;
  }
}

test("an earlier release's blocks are checked, replaced once, and the first new one follows", async () => {
  await makeHealthyPromotion(t.db);
  while ((await seal()) !== null) {
    // Until nothing waits.
  }
  await makeFormer();
  const former = await selectLastSeal(t.db);
  await expect(seal()).rejects.toThrow("run redctl reseal");
  const { user_name } = await t.db
    .selectFrom("player")
    .select("user_name")
    .limit(1)
    .executeTakeFirstOrThrow();
  await expect(inTransaction(t.db, (tx) => erasePlayer(tx, OPERATOR, user_name))).rejects.toThrow(
    "run redctl reseal",
  );
  expect(await verifySeals(t.db, [])).toMatchObject({ table: "seal", found: { root: null } });

  let replaced = 0;
  const again = (anchors: readonly KnownEnd[] = []) =>
    reseal(t.db, {
      anchors,
      onReplaced: async () => {
        replaced += 1;
      },
      onBlock: () => {},
    });
  await sql`update draw_record set ticket = ticket + 1
    where id = (select min(id) from draw_record)`.execute(t.db);
  expect(await again()).toMatchObject({ table: "draw_record" });
  await sql`update draw_record set ticket = ticket - 1
    where id = (select min(id) from draw_record)`.execute(t.db);
  expect(await again([{ no: 1, hash: "0".repeat(64) }])).toMatchObject({ table: "seal" });
  expect([replaced, await selectLastSeal(t.db)]).toEqual([0, former]);

  expect([await again(), await again(), replaced]).toEqual(["replaced", "nothing", 1]);
  while ((await seal()) !== null) {
    // What was younger than five seconds.
  }
  const [first] = await selectSeals(t.db, 0, 1);
  expect(first?.prev).toEqual(former?.hash);
  expect(await verifySeals(t.db, [])).toBeNull();
});

test("without salt a record's player is known by the kept commitment alone", async () => {
  const { rows } = await sql<{ player_key: number; player_id: string; salt: Buffer }>`
    select s.player_key, y.player_id, s.salt from player_salt s join player y using (player_key)
    order by 1 limit 1`.execute(t.db);
  const [player] = rows;
  if (player === undefined) {
    throw new Error("nobody has a salt");
  }
  const { player_key, player_id, salt } = player;
  const played = await sql<{ rounds_id: number }>`
    select distinct rounds_id from draw_record where player_key = ${player_key}`.execute(t.db);
  await sql`delete from player_salt where player_key = ${player_key}`.execute(t.db);
  await sql`update player set player_id = 'gone' where player_key = ${player_key}`.execute(t.db);
  expect(await verifySeals(t.db, [])).toMatchObject({ table: "draw_record" });
  for (const { rounds_id } of played.rows) {
    const kept = commitment(roundSalt(salt, rounds_id), player_id);
    await sql`insert into erased_commitment values (${player_key}, ${rounds_id}, ${kept})`.execute(
      t.db,
    );
  }
  expect(await verifySeals(t.db, [])).toBeNull();
});
