/** A backup is restored completely or not at all, and no payout is paid twice or lost. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { startAgain } from "#stops/stop-switches";
import { selectStops } from "#stops/stop-switch-sql";
import { anchorFile, appendAnchor } from "#evidence/anchors";
import { stopIfRestored } from "#evidence/restored-database";
import { sealRecords } from "#evidence/seal-records";
import { inTransaction } from "#platform/db/connection";
import { makeRound } from "#test/factories";
import { useFaultWallet } from "#test/fault-wallet";
import { makeFolder } from "#test/folder";
import { makeHealthyPromotion } from "#test/healthy-promotion";
import { TEST_ACTOR } from "#test/operator-factory";
import { configOf, redctl as run } from "#test/redctl";
import {
  ledgerOf,
  makeMany,
  moneyFaults,
  startTestWorker,
  statesOf,
  untilStates,
} from "#test/payout-factory";
import { rowsOf } from "#test/rows";
import { useTestDb } from "#test/test-db";
import type { TestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";

/** `npm run prove -- restore` uses a larger number. */
const PAYOUTS = Number(process.env["PROVE_N"] ?? 60);

const source = useTestDb();
const target = useTestDb();
const wallet = useFaultWallet();
let folder = "";

beforeEach(() => {
  folder = makeFolder();
});

const redctl = async (t: TestDb, ...words: readonly string[]) =>
  await run(() => configOf(t, { dataDir: folder }), words.join(" "));

/** Returns a hash per table, without tables that a restore changes or counts in another order. */
async function contentOf(t: TestDb): Promise<Record<string, string>> {
  const tables = await t.sql<{ table: string }>`
    select relname as table from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not in ('session', 'ticket', 'login_failure', 'nonce', 'schema_migration',
        'schema_migration_lock', 'audit_log', 'stop_switch', 'payout', 'drawn_prize', 'rollup_delta')
    order by 1`;
  const content: Record<string, string> = {};
  for (const { table } of tables) {
    const hashes = await t.sql<{ hash: string }>`
      select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash
      from ${sql.table(table)} t`;
    content[table] = hashes[0]?.hash ?? "";
  }
  return content;
}

async function empty(t: TestDb): Promise<void> {
  const rows = await t.sql<{ names: string }>`
    select string_agg(quote_ident(relname), ', ') as names from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not like 'schema_migration%'`;
  await sql.raw(`truncate ${rows[0]?.names ?? ""} cascade`).execute(t.db);
}

test("everything comes back, and ids continue after it", async () => {
  await makeHealthyPromotion(source.db);
  await inTransaction(source.db, (tx) => sealRecords(tx, 0));
  // A database that release 0.2.0 created has this row.
  await source.sql`insert into schema_migration values ('0001-promotion', '')`;
  const file = path.join(folder, "all.backup");
  expect(await redctl(source, "backup", file)).toMatchObject({ code: 0, err: "" });
  expect(await redctl(source, "backup", file)).toMatchObject({
    code: 1,
    err: expect.stringContaining("is there already"),
  });

  expect(await redctl(target, "restore", file)).toMatchObject({ code: 0, err: "" });
  expect(await contentOf(target)).toEqual(await contentOf(source));
  expect(await redctl(target, "verify")).toMatchObject({ code: 0, err: "" });
  const newest = Math.max(...(await rowsOf(target.db, "activity")).map(({ id }) => id));
  expect((await makeRound(target.db)).rounds_id).toBeGreaterThan(newest + 999);

  expect(await redctl(target, "restore", file)).toMatchObject({
    code: 1,
    err: expect.stringContaining("the database is in use"),
  });
});

test("a damaged or unfinished file leaves nothing behind", async () => {
  await empty(target);
  const file = path.join(folder, "sound.backup");
  await redctl(source, "backup", file);
  const lines = gunzipSync(await readFile(file)).toString("utf8");
  const [head = "", ...rest] = lines.split("\n");
  const broken = {
    changed: lines.replace("cumulative", "Cumulative"),
    short: lines.slice(0, lines.length / 2),
    "without its end": `${[head, ...rest.slice(0, -2)].join("\n")}\n`,
    "of a newer version": lines.replace('"0073-risked"', '"9999-other"'),
    "of an older release": lines.replace('"0073-risked"', '"0072-ladder"'),
    "no backup": "hello\n",
  };
  for (const [what, text] of Object.entries(broken)) {
    const damaged = path.join(folder, "damaged.backup");
    await writeFile(damaged, gzipSync(text));
    const { code, err } = await redctl(target, "restore", damaged);
    expect({ what, code }).toEqual({ what, code: 1 });
    expect(err).toMatch(/^redctl: .*(backup|damaged)/);
    expect(await rowsOf(target.db, "pool"), what).toEqual([]);
  }
  await writeFile(file, (await readFile(file)).subarray(0, 500));
  expect((await redctl(target, "restore", file)).code).toBe(1);
});

test(`a restore that forgets ${PAYOUTS} payouts pays nobody twice and leaves nobody out`, async () => {
  await empty(target);
  const made = await makeMany(source.db, PAYOUTS);
  const [sent, others] = [made.slice(0, PAYOUTS / 2), made.slice(PAYOUTS / 2)];
  const file = path.join(folder, "before.backup");
  expect(await redctl(source, "backup", file)).toMatchObject({ code: 0 });
  // After the backup, half of the payouts are paid; then the database is lost.
  await source.sql`update payout set next_at = now() + interval '1 day'
    where trans_sn = any(${others.map((one) => one.trans_sn)}::text[])`;
  const worker = await startTestWorker(source, wallet);
  await untilStates(source.db, sent, "paid");
  await worker.stop();

  // The second transaction of the restore fails, as after a kill: the rows exist, but nothing may be sent.
  await target.sql`create function fail() returns trigger language plpgsql as
    $$ begin raise 'killed'; end $$`;
  await target.sql`create trigger fail before insert on audit_log for each row when (new.action = 'restore')
    execute function fail()`;
  expect(await redctl(target, "restore", file)).toMatchObject({ code: 1 });
  expect(await selectStops(target.db)).toMatchObject([{ name: "payouts" }]);
  await target.sql`drop function fail cascade`;
  await empty(target);

  expect(await redctl(target, "restore", file)).toMatchObject({ code: 0 });
  expect(new Set(await statesOf(target.db, made))).toEqual(new Set(["unknown"]));
  const before = (await wallet.ledger()).attempts.length;
  await startTestWorker(target, wallet);
  // While nothing may be sent, queries find out which payouts were paid.
  await untilStates(target.db, sent, "paid");
  await untilStates(target.db, others, "queued");
  const asked = (await wallet.ledger()).attempts.slice(before);
  expect(new Set(asked.map((attempt) => attempt.call))).toEqual(new Set(["query"]));

  await inTransaction(target.db, (tx) => startAgain(tx, TEST_ACTOR, { name: "payouts" }));
  await untilStates(target.db, made, "paid");
  expect(await moneyFaults(target.db, await wallet.ledger(), made)).toEqual([]);
  expect((await ledgerOf(wallet, made)).credits).toHaveLength(PAYOUTS);
  // For half of the payouts, only a query shows that the wallet paid.
  expect((await redctl(target, "verify")).out).toContain("ok     payout states against attempts");
});

test("a database that lacks what was anchored pays nothing until it is said to be restored", async () => {
  await sql`delete from stop_switch`.execute(target.db);
  expect(await stopIfRestored(target.db, folder)).toBe(false);
  const line = { no: 1_000_000, hash: "0".repeat(64), at: new Date().toISOString() };
  await appendAnchor(anchorFile(folder), line);
  expect(await stopIfRestored(target.db, folder)).toBe(true);
  expect(await selectStops(target.db)).toMatchObject([
    { name: "payouts", reason: expect.stringContaining("block 1000000 was anchored") },
  ]);
  expect(await redctl(target, "restored", "--to", "2026-11-01")).toMatchObject({
    code: 0,
    err: "",
  });
  expect(await stopIfRestored(target.db, folder)).toBe(false);
});
