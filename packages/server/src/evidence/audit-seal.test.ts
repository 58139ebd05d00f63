/**
 * Tampers with the sealed audit log, also in ways that look like the erasure of a player. The check must find and
 * name every change.
 */
import { insertAudit } from "#platform/audit";
import type { AuditEntry } from "#platform/audit";
import { AUDIT_DAYS_MIN } from "#platform/config";
import { inTransaction } from "#platform/db/connection";
import { accountRef } from "#platform/player-names";
import { idAt } from "#platform/db/time-ids";
import { OPERATOR } from "#test/activity-factory";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import { tampered } from "#test/falsified";
import type { Tamper } from "#test/falsified";
import { auditsOf } from "#test/rows";
import { useTestDb } from "#test/test-db";
import { sealAll } from "#test/verifier";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { erasePlayer } from "./erase-player.ts";
import { trimAuditLog } from "./trim-audit-log.ts";
import { findFalseErasure } from "./verify-erasures.ts";
import { verifySeals } from "./verify-seals.ts";
import type { KnownEnd } from "./verify-seals.ts";

const BLOCK = 7;

const t = useTestDb();
const anchors: KnownEnd[] = [];
let ids: number[] = [];
/** Keys of the erased player and of a player who is not erased. */
let gone = 0;
let other = 0;
let instead = "";
/** Number of a payment to the player who is not erased. */
let trans_sn = "";

async function seal(): Promise<void> {
  for (const { no, hash } of await sealAll(t.db, BLOCK, "audit_log")) {
    // The two oldest blocks look as if they had been sealed years ago.
    const at = no < 3 ? "2020-01-01T00:00:00Z" : new Date().toISOString();
    anchors.push({ no, hash: hash.toString("hex"), at });
  }
}

const note = (object_id: string, after: object, about: AuditEntry["about"] = {}) =>
  inTransaction(t.db, (tx) =>
    insertAudit(tx, OPERATOR, {
      action: "change",
      object_type: "player",
      object_id,
      after,
      about,
    }),
  );

beforeAll(async () => {
  gone = (await makePlayer(t.db, { user_name: "gone-once" })).player_key;
  const stays = await makePlayer(t.db);
  other = stays.player_key;
  await t.sql`update player set user_name = 'gone' where player_key = ${gone}`;
  for (const user_name of ["second", "third"]) {
    await t.sql`update player set user_name = ${user_name} where player_key = ${other}`;
  }
  const paid = await makeRecords(t.db, await makeRound(t.db), stays, [{ state: "paid" }]);
  trans_sn = paid[0]?.trans_sn ?? "";
  await t.sql`insert into wallet_entry (trans_sn, occurrence, amount_cents, player_id, paid_at)
    values (${trans_sn}, 1, 888, ${stays.player_id}, now())`;
  await t.sql`insert into audit_log (id, at, actor_kind, actor, action, object_type)
    select ${idAt(sql`a`)}, a, 'system', 'upkeep', 'change', 'record'
    from generate_series(now() - interval '313 days', now() - interval '300 days', interval '1 day') a`;
  for (let at = 0; at < 40; at += 1) {
    await note(
      at === 3 ? "gone" : String(at),
      { user_name: at === 5 ? "GONE" : "other" },
      // Row 7 is about the player but does not contain the name.
      { player: at === 5 || at === 7 ? [gone] : [] },
    );
  }
  // Makes the rows look like rows of the previous release.
  await t.sql`update audit_log set by_key = false`;
  await seal();
  const { data } = await inTransaction(t.db, (tx) => erasePlayer(tx, OPERATOR, "gone"));
  instead = data.player_id;
  await note("last", {});
  await seal();
  ids = (await t.sql<{ id: number }>`select id from audit_log order by id`).map(({ id }) => id);
});

const after = (tamper: Tamper) =>
  tampered(
    t.db,
    tamper,
    async (db) => (await verifySeals(db, anchors, "audit_log")) ?? (await findFalseErasure(db)),
  );

test("an untouched log holds, an erased player's rows among it", async () => {
  expect(await after(async () => {})).toBeNull();
  const named = await t.sql`select from audit_log l where audit_texts(l) like '%"gone"%'`;
  expect(named).toEqual([]);
  const cut = await t.sql`select from audit_log where salt is null`;
  expect(cut).toHaveLength(2);
});

const row = () => ids[9] ?? 0;

const at = (change: string) => () => sql.raw(`update audit_log set ${change} where id = ${row()}`);

test.each<[what: string, tamper: () => RawBuilder<unknown>, table: string]>([
  ["another actor", at("actor = 'somebody'"), "audit_log"],
  ["another moment", at("at = at - interval '1 hour'"), "audit_log"],
  ["another outcome", at("outcome = 'refused'"), "audit_log"],
  ["other values", at(`after = '{"user_name": "x"}'`), "audit_log"],
  ["another reason", at("reason = 'asked to'"), "audit_log"],
  [
    "values cut as if a player had been erased",
    at("commitment = audit_commitment(audit_log), salt = null, after = null"),
    "audit_log",
  ],
  [
    "an erased player's row that says something else",
    () => sql`update audit_log set after = null where salt is null`,
    "audit_log",
  ],
  ["a row that is gone", () => sql`delete from audit_log where id = ${row()}`, "audit_log"],
  [
    "a row put in later",
    () => sql`insert into audit_log (id, actor_kind, actor, action, object_type)
      values (16384, 'operator', 'x', 'change', 'record')`,
    "audit_log",
  ],
  ["a block that is gone", () => sql`delete from audit_seal where no = 2`, "audit_seal"],
  ["a beginning cut off", () => sql`delete from audit_seal where no < 3`, "audit_seal"],
  [
    "an end cut off",
    () => sql`delete from audit_seal where no >= ${anchors.length - 1}`,
    "audit_seal",
  ],
  [
    "a changed block",
    () => sql`update audit_seal set hashes = overlay(hashes placing hash from 1)`,
    "audit_seal",
  ],
])("%s", async (_, tamper, table) => {
  expect(await after(tamper())).toMatchObject({ table });
});

const last = () => ids.at(-1) ?? 0;
/** Ids of the audit row of the erasing, and of a row in which the erasing cut the name. */
const erasing = () => ids.at(-2) ?? 0;
const cut = () => ids[19] ?? 0;
const rowOf = (id: () => number) => () => ["audit_log", id()];

const set = (id: () => number, change: string) => () =>
  `update audit_log set ${change} where id = ${id()}`;

/** Rewrites a row and adds it to the list of rewritten rows in the audit row of the erasing. */
const rewritten = (id: () => number, change: () => string) => () =>
  `
  update audit_log l set salt = null, commitment = audit_commitment(l), ${change()} where id = ${id()};
  update audit_log e set after = jsonb_set(e.after, '{rewritten,${id()}}',
    to_jsonb(encode(sha256(convert_to(audit_texts(l), 'UTF8')), 'hex')))
  from audit_log l where l.id = ${id()} and e.id = ${erasing()}`;

const isAbout = (player_key: () => number, id: () => number) =>
  `insert into audit_about values ('player', ${player_key()}, ${id()});`;

const forged = (player_key: () => number) => () =>
  `
  insert into audit_log (id, actor_kind, actor, action, object_type, object_id, after, by_key)
  values (${last() + 1}, 'operator', 'x', 'erase_player', 'player', '${accountRef(player_key())}',
    '{"left": [], "rewritten": {}}', true);
  ${isAbout(player_key, () => last() + 1)}`;

const isGone = () => gone;
const isOther = () => other;
const newest = rowOf(() => last() + 1);
const named = () => `object_id = '${instead}'`;

test.each<[what: string, found: () => unknown[], tamper: () => string]>([
  [
    "a row listed that was not cut",
    rowOf(row),
    () => set(erasing, `after = jsonb_set(after, '{rewritten,${row()}}', '""')`)(),
  ],
  ["an erasing of one who stays", newest, forged(isOther)],
  ["a second erasing", newest, forged(isGone)],
  ["a row about nobody", rowOf(row), rewritten(row, () => `after = '{"user_name": "${instead}"}'`)],
  ["a row about another", rowOf(row), () => isAbout(isOther, row) + rewritten(row, named)()],
  ["a row by reference", rowOf(last), rewritten(last, named)],
  ["another amount in a cut row", rowOf(cut), set(cut, `after = after || '{"value": "1.00"}'`)],
  ["no amount", rowOf(cut), rewritten(cut, () => `after = '{"value": "${instead}"}'`)],
  ["a reason of his own", rowOf(cut), rewritten(cut, () => "after = null, reason = 'asked to'")],
  ["salt of a row", rowOf(cut), set(cut, "salt = gen_random_uuid(), commitment = null")],
  ["an erasing of nobody", rowOf(erasing), set(erasing, "object_id = 'nobody'")],
  ["no erasing", () => ["player", gone], () => `delete from audit_log where id = ${erasing()}`],
  [
    "a salt",
    () => ["player_salt", gone],
    () => `insert into player_salt select ${gone}, sha256('')`,
  ],
  [
    "a former name",
    () => ["former_name", gone],
    () => `update former_name set player_key = ${gone}`,
  ],
  ["an erasing that is not by reference", rowOf(erasing), set(erasing, "by_key = false")],
  [
    "an erasing that is about another",
    rowOf(erasing),
    () => `update audit_about set object_id = '${other}' where audit_id = ${erasing()}`,
  ],
  ["a row of another kind", rowOf(row), rewritten(row, () => `object_type = 'pool', ${named()}`)],
  ["a row without the name", rowOf(cut), rewritten(cut, () => "after = null")],
  [
    "more than the name",
    rowOf(cut),
    rewritten(cut, () => `after = '{"user_name": "x${instead}"}'`),
  ],
  [
    "a wrong first",
    () => ["former_name", other],
    () => "update former_name set no = 0 where no = 1",
  ],
  ["no last", () => ["former_name", other], () => "delete from former_name where no = 2"],
  [
    "a payment to another, by reference",
    () => ["wallet_entry", trans_sn],
    () => `update wallet_entry set player_id = '${accountRef(gone).replace("\uE001", "i\uE001")}'`,
  ],
  ["a gap", () => ["former_name", other], () => "update former_name set no = 3 where no = 2"],
  [
    "a longer span",
    () => ["former_name", other],
    () => "update former_name set to_at = now() where no = 1",
  ],
  [
    "a payment to another",
    () => ["wallet_entry", trans_sn],
    () => `update wallet_entry set player_id = '${instead}'`,
  ],
])("under cover of an erasing: %s", async (_, found, tamper) => {
  // Runs the check before the next block seals the change.
  const offence = await tampered(t.db, sql.raw(tamper()), findFalseErasure);
  expect([offence?.table, ...Object.values(offence?.ids ?? {})]).toEqual(found());
});

const isOf = (player_id: () => string) => `update wallet_entry set player_id = '${player_id()}'`;

test.each<[what: string, tamper: () => string]>([
  [
    "an erasing that was refused",
    () => `${forged(isOther)()}; ${set(() => last() + 1, "outcome = 'refused'")()}`,
  ],
  [
    "an erasing of the release before, which kept former names",
    () => `${set(erasing, `object_id = '${instead}', after = after - 'left', by_key = false`)()};
      insert into former_name (player_key, no, user_name, from_at) values (${gone}, 1, 'x', now())`,
  ],
  [
    "a payment to the player",
    () => `${isOf(() => instead)}; update payout set player_key = ${gone}`,
  ],
  [
    "a payment to another, which is a difference",
    () => `${isOf(() => instead)};
      insert into reconciliation_break (reconciliation_id, kind, trans_sn, occurrence, their_player_id)
      values (1, 'wrong_player', '${trans_sn}', 1, '${instead}')`,
  ],
])("is no offence: %s", async (_, tamper) => {
  expect(await tampered(t.db, sql.raw(tamper()), findFalseErasure)).toBeNull();
});

// From here on, the oldest blocks of the log are deleted.
test("old blocks are deleted with their rows, and the rest can be verified", async () => {
  const trim = (days: number | null) => trimAuditLog(days)(t.db, new AbortController().signal);
  expect(await trimAuditLog(300)(t.db, AbortSignal.abort())).toEqual({ rows: 0 });
  // The newest row of the first block is 307 days old, and the newest row of the second block is 300 days old.
  const went: number[] = [];
  for (const days of [null, 308, 307, 301, 300]) {
    went.push((await trim(days)).rows);
  }
  expect(went).toEqual([0, 0, 7, 0, 7]);
  const trims = await auditsOf(t.db, ["object_type"], { action: "trim_audit_log" });
  expect(trims).toEqual(Array(2).fill({ object_type: "installation" }));
  expect(await after(async () => {})).toBeNull();
  expect(await after(sql`delete from audit_seal where no = 3`)).toMatchObject({ ids: { no: 3 } });
  const forged = sql`update audit_log set after = jsonb_set(after, '{hash}', '"00"') where action = 'trim_audit_log'`;
  expect(await after(forged)).toMatchObject({ table: "audit_seal", ids: { no: 2 } });
  expect(await after(sql`delete from audit_seal`)).toMatchObject({ ids: { no: 3 } });
  // The row of the erasing may be missing when it is older than the kept rows.
  const erased = (ms: number) =>
    sql.raw(`
    delete from audit_log where id = ${erasing()};
    update player set erased_at = (select max(at) from audit_log where action = 'trim_audit_log')
      - interval '${AUDIT_DAYS_MIN} days' + interval '${ms} ms' where player_key = ${gone};
    update audit_log set salt = gen_random_uuid(), commitment = null where salt is null`);
  expect(await tampered(t.db, erased(0), findFalseErasure)).toBeNull();
  expect(await tampered(t.db, erased(1), findFalseErasure)).toMatchObject({ table: "player" });
  // Someone who wants to hide rows of today would trim like this.
  await trim(0);
  expect(await after(async () => {})).toMatchObject({ table: "audit_seal", found: null });
});
