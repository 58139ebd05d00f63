/** Tampers with sealed records in ten ways. Both this check and the independent verifier must find each change. */
import { roundProofLines } from "./round-proof.ts";
import { blockHash, CHAIN_START, entriesRoot, recordHash } from "./seal-chain.ts";
import { verifySeals } from "./verify-seals.ts";
import type { KnownEnd } from "./verify-seals.ts";
import type { Db } from "#platform/db/connection";
import { inSnapshot } from "#platform/db/snapshot";
import { SLOTS } from "#platform/db/time-ids";
import { LATE_MS } from "./seal-records.ts";
import { selectSealFacts, selectSeals } from "./seal-sql.ts";
import { makeHealthyPromotion } from "#test/healthy-promotion";
import { tampered } from "#test/falsified";
import type { Tamper } from "#test/falsified";
import { useTestDb } from "#test/test-db";
import { runScript, sealAll, useLineFiles } from "#test/verifier";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";

const BLOCK = 7;

const t = useTestDb();
const lines = useLineFiles();
let rounds_id = 0;
const anchors: KnownEnd[] = [];

beforeAll(async () => {
  rounds_id = (await makeHealthyPromotion(t.db)).open;
  for (const { no, hash } of await sealAll(t.db, BLOCK)) {
    anchors.push({ no, hash: hash.toString("hex") });
  }
});

async function proofOf(db: Db): Promise<string[]> {
  const proof: string[] = [];
  for await (const line of roundProofLines(db, rounds_id)) {
    proof.push(line);
  }
  return proof;
}

/** Returns the independent verifier's result for the round's evidence from `db`. */
async function examine(db: Db, known: readonly KnownEnd[]): Promise<string> {
  const words = ["tools/verify-round.mjs", lines(await proofOf(db)), "--anchors", lines(known)];
  return (await runScript(process.execPath, words)).out.trim();
}

/** Returns the results of both checks after `tamper`. */
const after = (tamper: Tamper, known: readonly KnownEnd[] = anchors) =>
  tampered(t.db, tamper, async (db) => ({
    offence: await verifySeals(db, known),
    verdict: await examine(db, known),
  }));

async function sealedIds(): Promise<number[]> {
  const seals = await selectSeals(t.db, 0, 10_000);
  return seals.flatMap(({ log_ids, rounds_ids }) =>
    log_ids.filter((_id, index) => rounds_ids[index] === rounds_id),
  );
}

/** Recomputes the chain over the current records, as a database superuser could. */
async function rewriteChain(db: Db): Promise<void> {
  let prev: Buffer = CHAIN_START;
  for (const seal of await selectSeals(db, 0, 10_000)) {
    const facts = new Map((await selectSealFacts(db, seal)).map((row) => [row.log_id, row]));
    const kept = seal.log_ids.flatMap((id, index) => {
      const row = facts.get(id);
      return row === undefined ? [] : [{ row, round: seal.rounds_ids[index] ?? 0 }];
    });
    const entries = {
      log_ids: kept.map(({ row }) => row.log_id),
      rounds_ids: kept.map(({ round }) => round),
      hashes: Buffer.concat(kept.map(({ row }) => recordHash(row))),
    };
    const root = entriesRoot(entries);
    const hash = blockHash(prev, seal.no, root);
    await sql`
      update seal set log_ids = ${entries.log_ids}::bigint[],
        rounds_ids = ${entries.rounds_ids}::integer[], hashes = ${entries.hashes},
        prev = ${prev}, root = ${root}, hash = ${hash} where no = ${seal.no}`.execute(db);
    prev = hash;
  }
}

test("an untouched chain holds, here and outside", async () => {
  const { offence, verdict } = await after(async () => {});
  expect(offence).toBeNull();
  // For a block without records of the round, the evidence contains only what continues the chain.
  const seals = await selectSeals(t.db, 0, 10_000);
  const own = seals.filter((seal) => seal.rounds_ids.includes(rounds_id)).length;
  const proof = await inSnapshot(t.db, proofOf);
  const count = (kind: string) => proof.filter((line) => line.includes(`{"kind":"${kind}"`)).length;
  expect(own).toBeLessThan(anchors.length);
  expect([count("seal"), count("link")]).toEqual([own, anchors.length - own]);
  const { length } = await sealedIds();
  expect(length).toBeGreaterThan(20);
  expect(verdict).toBe(
    `round ${rounds_id}: ${length} of ${length} draws derived again, 0 not sealed yet, ` +
      `${anchors.length} blocks follow from each other, ${anchors.length} anchored`,
  );
});

describe("found in the order of the chain:", () => {
  test.each([
    ["another price", "award_price_cents = award_price_cents + 1"],
    ["another prize", "prize_id = (select max(id) from prize), award_name = 'thing'"],
    ["another moment", "created_at = created_at + interval '1 second'"],
    ["another player", "player_key = (select max(player_key) from player), draw_no = draw_no + 50"],
    ["another ticket", "ticket = ticket + 1"],
    ["another list of exhausted prizes", "exhausted = '{}'"],
  ])("a record with %s", async (_what, change) => {
    const rows = await t.sql<{ id: number }>`
      select id from draw_record
      where rounds_id = ${rounds_id} and exhausted <> '{}' and player_key <> 12
      order by id limit 1`;
    const id = rows[0]?.id;
    const { offence, verdict } = await after(
      sql.raw(`update draw_record set ${change} where id = ${id}`),
    );
    expect(offence).toMatchObject({ table: "draw_record", ids: { id, rounds_id } });
    expect(verdict).toBe(`OFFENCE record ${id}: no longer says what was sealed`);
  });

  test("two records that changed places", async () => {
    const [first, second] = await sealedIds();
    const { offence, verdict } = await after(sql`
        update draw_record r set draw_no = o.draw_no + 100, prize_id = o.prize_id,
          award_name = o.award_name, award_price_cents = o.award_price_cents, ticket = o.ticket,
          fallback_ticket = o.fallback_ticket, exhausted = o.exhausted
        from (select * from draw_record where id = any(${[first, second]}::bigint[])) o
        where r.id = any(${[first, second]}::bigint[]) and o.id <> r.id`);
    expect(offence).toMatchObject({ table: "draw_record", ids: { id: first } });
    expect(verdict).toBe(`OFFENCE record ${first}: no longer says what was sealed`);
  });

  test("a record that was deleted", async () => {
    const id = (await sealedIds())[10];
    const { offence, verdict } = await after(sql`delete from draw_record where id = ${id}`);
    expect(offence).toMatchObject({ table: "draw_record", ids: { id }, found: null });
    expect(verdict).toBe(
      `OFFENCE record ${id}: sealed in block ${String(offence?.ids["seal"])} and gone`,
    );
  });

  test("a record that was inserted", async () => {
    const { offence, verdict } = await after(sql`
        insert into draw_record select 16384, rounds_id, player_key, 99, prize_id, award_name,
          award_price_cents, turnover, rule_version, pool_id, pool_version, ticket, fallback_ticket,
          exhausted, null, created_at
        from draw_record where rounds_id = ${rounds_id} order by id limit 1`);
    expect(offence).toMatchObject({ table: "draw_record", ids: { id: 16384 }, expected: null });
    // The evidence contains only sealed records; unsealed records are only counted.
    expect(verdict).toContain(" 1 not sealed yet,");
  });

  test("a pool version that was edited", async () => {
    const [id] = await sealedIds();
    const { offence, verdict } = await after(sql`
        update pool_version set prizes = replace(prizes::text, '"weight": ', '"weight": 1')::jsonb
        where (pool_id, version) = (select pool_id, pool_version from draw_record where id = ${id})`);
    expect(offence).toMatchObject({ table: "draw_record", ids: { id } });
    expect(verdict).toBe(`OFFENCE record ${id}: no longer says what was sealed`);
  });

  test("a deleted salt without a stored commitment", async () => {
    const [id] = await sealedIds();
    const { offence, verdict } = await after(sql`
        delete from player_salt where player_key = (select player_key from draw_record where id = ${id})`);
    expect(offence).toMatchObject({ table: "draw_record" });
    expect(verdict).toBe(`OFFENCE record ${id}: no longer says what was sealed`);
  });

  test("a cut-off end, records and blocks", async () => {
    const last = anchors.length;
    const { offence, verdict } = await after(async (db) => {
      await sql`
        delete from draw_record where id = any(
          select unnest(log_ids) from seal where no >= ${last - 1})`.execute(db);
      await sql`delete from seal where no >= ${last - 1}`.execute(db);
    });
    expect(offence).toMatchObject({ table: "seal", ids: { no: last - 1 }, found: null });
    expect(verdict).toBe(
      `OFFENCE block ${last - 1}: missing: the chain once reached block ${last}`,
    );
  });

  test("an entry moved to another round", async () => {
    const id = (await sealedIds())[10];
    const { offence, verdict } = await after(sql`
        update seal set rounds_ids[array_position(log_ids, ${id}::bigint)] = ${rounds_id + 1}
        where ${id} = any(log_ids)`);
    expect(offence).toMatchObject({ table: "seal" });
    const no = String(offence?.ids["no"]);
    expect(verdict).toBe(`OFFENCE block ${no}: its hash is not that of its entries`);
  });

  test("a record sealed in two blocks of a valid chain", async () => {
    const [first, second] = await selectSeals(t.db, 0, 2);
    const [id, round] = [first?.log_ids[0], first?.rounds_ids[0]];
    const twice = async (db: Db) => {
      await sql`update seal set log_ids[1] = ${id}, rounds_ids[1] = ${round} where no = ${second?.no}`.execute(
        db,
      );
      await rewriteChain(db);
    };
    expect((await after(twice, [])).offence).toEqual({
      table: "seal",
      ids: { id },
      expected: { blocks: 1 },
      found: { blocks: 2 },
    });
  });

  test.each([
    ["an hour before the newest that is sealed may still be sealed", 0, null],
    ["more than an hour before is late", 1, "draw_record"],
  ])("an unsealed record %s", async (_, ms, table) => {
    const late = sql.raw(`
      update seal set last_id = last_id + ${2 * LATE_MS * SLOTS} where no = ${anchors.length};
      insert into draw_record select (select max(last_id) from seal) - ${(LATE_MS + ms) * SLOTS}, rounds_id,
        player_key, 99, prize_id, award_name, award_price_cents, turnover, rule_version, pool_id,
        pool_version, ticket, fallback_ticket, exhausted, null, created_at
      from draw_record where rounds_id = ${rounds_id} order by id limit 1`);
    const offence = await tampered(t.db, late, (db) => verifySeals(db, anchors));
    expect(offence?.table ?? null).toBe(table);
  });

  test("a block that is missing in the middle", async () => {
    const { offence, verdict } = await after(sql`delete from seal where no = 2`);
    expect(offence).toMatchObject({ table: "seal", ids: { no: 2 }, found: null });
    expect(verdict).toBe("OFFENCE block 2: missing");
  });

  test("a recomputed chain, by its anchors alone", async () => {
    const id = (await sealedIds())[10];
    const tamper = async (db: Db) => {
      await sql`delete from draw_record where id = ${id}`.execute(db);
      await rewriteChain(db);
    };
    expect((await after(tamper, [])).offence).toBeNull();
    const { offence, verdict } = await after(tamper);
    expect(offence).toMatchObject({ table: "seal", expected: { hash: expect.any(String) } });
    expect(verdict).toBe(
      `OFFENCE block ${String(offence?.ids["no"])}: is not the one that was anchored`,
    );
  });
});
