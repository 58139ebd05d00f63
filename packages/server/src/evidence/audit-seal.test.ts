/** The sealed audit log, tampered with in eleven ways: each is found and named. */
import { insertAudit } from "#platform/audit";
import type { AuditEntry } from "#platform/audit";
import { inTransaction } from "#platform/connection";
import { OPERATOR } from "#test/activity-factory";
import { makePlayer } from "#test/factories";
import { tampered } from "#test/falsified";
import type { Tamper } from "#test/falsified";
import { useTestDb } from "#test/test-db";
import { sealAll } from "#test/verifier";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { erasePlayer } from "./erase-player.ts";
import { idAt } from "./seal-sql.ts";
import { trimAuditLog } from "./trim-audit-log.ts";
import { verifySeals } from "./verify-seals.ts";
import type { KnownEnd } from "./verify-seals.ts";

const BLOCK = 7;

const t = useTestDb();
const anchors: KnownEnd[] = [];
let ids: number[] = [];

async function seal(): Promise<void> {
  for (const { no, hash } of await sealAll(t.db, BLOCK, "audit_log")) {
    // The two oldest, as if they had been sealed in their time.
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
  const { player_key } = await makePlayer(t.db, { user_name: "gone" });
  await t.sql`insert into audit_log (id, at, actor_kind, actor, action, object_type)
    select ${idAt(sql`a`)}, a, 'system', 'upkeep', 'change', 'record'
    from generate_series(now() - interval '313 days', now() - interval '300 days', interval '1 day') a`;
  for (let at = 0; at < 40; at += 1) {
    await note(
      at === 3 ? "gone" : String(at),
      { user_name: at === 5 ? "GONE" : "other" },
      { player: at === 5 ? [player_key] : [] },
    );
  }
  // As the release before wrote them.
  await t.sql`update audit_log set by_key = false`;
  await seal();
  await inTransaction(t.db, (tx) => erasePlayer(tx, OPERATOR, "gone"));
  await note("last", {});
  await seal();
  ids = (await t.sql<{ id: number }>`select id from audit_log order by id`).map(({ id }) => id);
});

const after = (tamper: Tamper) =>
  tampered(t.db, tamper, (db) => verifySeals(db, anchors, "audit_log"));

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

// From here on the log is younger.
test("old blocks go with their rows, and the rest still holds", async () => {
  const trim = (days: number | null) => trimAuditLog(days)(t.db, new AbortController().signal);
  // The youngest row of the first block is 307 days old, that of the second 300.
  const gone: number[] = [];
  for (const days of [null, 308, 307, 301, 300]) {
    gone.push((await trim(days)).rows);
  }
  expect(gone).toEqual([0, 0, 7, 0, 7]);
  expect(await after(async () => {})).toBeNull();
  expect(await after(sql`delete from audit_seal where no = 3`)).toMatchObject({ ids: { no: 3 } });
  const forged = sql`update audit_log set after = jsonb_set(after, '{hash}', '"00"') where action = 'trim_audit_log'`;
  expect(await after(forged)).toMatchObject({ table: "audit_seal", ids: { no: 2 } });
  expect(await after(sql`delete from audit_seal`)).toMatchObject({ ids: { no: 3 } });
  // As somebody would who wants rows of today gone.
  await trim(0);
  expect(await after(async () => {})).toMatchObject({ table: "audit_seal", found: null });
});
