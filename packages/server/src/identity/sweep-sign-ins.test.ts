import { randomBytes } from "node:crypto";
import { deleteOldSessions, expireSessions, selectSessionsBy } from "./session-sql.ts";
import { deleteOldNonces, insertNonce } from "./api-key-sql.ts";
import { deleteOldFailures, insertFailure, selectFailures } from "./login-failure-sql.ts";
import { deleteOldTickets } from "./ticket.ts";
import { inTransaction } from "#platform/db/connection";
import { hold } from "#test/races";
import { changeRows, rowsOf } from "#test/rows";
import { startMaintenance } from "#platform/upkeep-job";
import { sweepSignIns } from "./sweep-sign-ins.ts";
import { makeOperator } from "#test/factories";
import { clear, useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeEach, expect, test, vi } from "vitest";

const t = useTestDb();
const CHORES = [{ done: "sign-ins swept", run: sweepSignIns }];
const log = {
  info: vi.fn<(...words: unknown[]) => void>(),
  warn: vi.fn<(...words: unknown[]) => void>(),
};

beforeEach(async () => {
  log.info.mockClear();
  log.warn.mockClear();
  await clear(t.db, "ticket", "session", "login_failure", "operator");
  await makeOperator(t.db, "swept");
});

interface Ages {
  /** Age of the session and time since its last use, in minutes. */
  readonly created: number;
  readonly seen: number;
  readonly ended?: { readonly by: "logout" | "other"; readonly minutes: number };
}

async function session({ created, seen, ended }: Ages): Promise<Buffer> {
  const token_hash = randomBytes(32);
  const ago = (minutes: number) => sql<Date>`now() - make_interval(mins => ${minutes}::int)`;
  const { id } = await t.db.selectFrom("operator").select("id").executeTakeFirstOrThrow();
  await t.db
    .insertInto("session")
    .values({
      token_hash,
      operator_id: id,
      created_at: ago(created),
      seen_at: ago(seen),
      ended_by: ended?.by ?? null,
      ended_at: ended === undefined ? null : ago(ended.minutes),
    })
    .execute();
  return token_hash;
}

async function ticket(token_hash: Buffer, seconds: number): Promise<Buffer> {
  const ticket_hash = randomBytes(32);
  await t.db
    .insertInto("ticket")
    .values({
      ticket_hash,
      token_hash,
      target_hash: randomBytes(32),
      expires_at: sql<Date>`now() + make_interval(secs => ${seconds}::int)`,
    })
    .execute();
  return ticket_hash;
}

/** Runs one pass in each of several parallel processes. */
async function sweep(processes = 1): Promise<void> {
  const running = Array.from({ length: processes }, () =>
    startMaintenance({ db: t.db, chores: CHORES, log }),
  );
  await vi.waitFor(async () => {
    const rows = await t.sql<{ n: number }>`
      select count(*) as n from login_failure where failed_at < now() - interval '15 minutes'
      `;
    expect(rows[0]?.n).toBe(0);
  });
  await Promise.all(running.map((one) => one.stop()));
}

async function endOf(token_hash: Buffer) {
  const row = await t.db
    .selectFrom("session")
    .select("ended_by")
    .select(sql<number>`round(extract(epoch from now() - ended_at) / 60)::int`.as("minutes"))
    .where("token_hash", "=", token_hash)
    .executeTakeFirst();
  return row ?? "gone";
}

async function fail(minutes: number, count = 1): Promise<void> {
  await t.sql`
    insert into login_failure (name_key, address, failed_at)
    select 'n' || i, '::1', now() - make_interval(mins => ${minutes}::int)
    from generate_series(1, ${count}::int) i`;
}

const DAY = 24 * 60;

test("an expired session is marked as ended at its expiry", async () => {
  const live = await session({ created: 12 * 60 - 5, seen: 60 - 5 });
  const idle = await session({ created: 300, seen: 60 + 30 });
  const old = await session({ created: 12 * 60 + 20, seen: 1 });
  const ended = await session({ created: 300, seen: 90, ended: { by: "other", minutes: 80 } });
  await fail(20);
  await sweep();
  expect(await endOf(live)).toEqual({ ended_by: null, minutes: null });
  expect(await endOf(idle)).toEqual({ ended_by: "expiry", minutes: 30 });
  expect(await endOf(old)).toEqual({ ended_by: "expiry", minutes: 20 });
  expect(await endOf(ended)).toEqual({ ended_by: "other", minutes: 80 });
  // The token gives the error "expired", not "unknown".
  expect(await selectSessionsBy(t.db, [idle])).toMatchObject([
    { expired: true, ended_by: "expiry" },
  ]);
  expect(await selectSessionsBy(t.db, [live])).toMatchObject([{ expired: false, ended_by: null }]);
});

test("sessions that ended long ago go with their tickets, and nothing else", async () => {
  const kept = 30 * DAY - 2;
  const gone = 30 * DAY + 1;
  const endedAt = (minutes: number) =>
    session({ created: minutes + 9, seen: minutes + 9, ended: { by: "logout", minutes } });
  const recent = await endedAt(kept);
  const old = await endedAt(gone);
  const live = await session({ created: 5, seen: 1 });
  await ticket(old, 30);
  await ticket(live, -1);
  const good = await ticket(live, 30);
  await fail(20);
  await fail(10);
  await sweep();
  expect(await endOf(old)).toBe("gone");
  expect(await endOf(recent)).toMatchObject({ ended_by: "logout" });
  const tickets = await t.db.selectFrom("ticket").select("ticket_hash").execute();
  expect(tickets.map((row) => row.ticket_hash.toString("hex"))).toEqual([good.toString("hex")]);
  expect(await t.db.selectFrom("login_failure").selectAll().execute()).toHaveLength(1);
  expect(log.info).toHaveBeenCalledWith(
    {
      expired_sessions: 0,
      deleted_sessions: 1,
      deleted_tickets: 1,
      deleted_failures: 1,
      deleted_nonces: 0,
    },
    "sign-ins swept",
  );
});

test("a failure counts until it is 15 minutes old, and is swept then", async () => {
  const tenth = { name: "lock-edge", address: "192.0.2.1" };
  await inTransaction(t.db, async (tx) => {
    const of = { name_key: tenth.name };
    for (let turn = 0; turn < 10; turn += 1) {
      await insertFailure(tx, tenth);
    }
    const failedAgo = (span: string) =>
      changeRows(tx, "login_failure", of, { failed_at: sql<Date>`now() - ${span}::interval` });
    await failedAgo("15 minutes -1 microsecond");
    await deleteOldFailures(tx, 1_000);
    expect(await selectFailures(tx, tenth)).toEqual({ count: 10, minutes: 1 });
    await failedAgo("15 minutes");
    expect(await selectFailures(tx, tenth)).toEqual({ count: 0, minutes: 0 });
    await deleteOldFailures(tx, 1_000);
    expect(await rowsOf(tx, "login_failure", of)).toEqual([]);
  });
});

test("several processes sweep many rows once, without waiting for each other", async () => {
  await fail(20, 5_500);
  await fail(10, 3);
  await sweep(3);
  expect(await t.db.selectFrom("login_failure").selectAll().execute()).toHaveLength(3);
  const swept = log.info.mock.calls.map(([facts]) => facts as { deleted_failures: number });
  expect(swept.reduce((sum, facts) => sum + facts.deleted_failures, 0)).toBe(5_500);
  expect(log.warn).not.toHaveBeenCalled();
});

test.each([
  ["expired sessions", expireSessions],
  ["old sessions", deleteOldSessions],
  ["tickets", deleteOldTickets],
  ["failures", deleteOldFailures],
  ["nonces", deleteOldNonces],
])("a portion of %s is no larger than asked, and leaves locked rows out", async (_, portion) => {
  for (let count = 0; count < 3; count += 1) {
    await session({ created: 300, seen: 90 });
    const minutes = 31 * DAY;
    const old = { created: minutes, seen: minutes, ended: { by: "other", minutes } } as const;
    await ticket(await session(old), -1);
    await insertNonce(t.db, randomBytes(12));
  }
  await t.sql`update nonce set at = now() - interval '1 hour'`;
  await fail(20, 3);
  expect(await inTransaction(t.db, (tx) => portion(tx, 2))).toBe(2);
  const held = await hold(t.db, (tx) => portion(tx, 9));
  expect(await inTransaction(t.db, (tx) => portion(tx, 9))).toBe(0);
  await held.commit();
  await clear(t.db, "nonce");
});

test("a locked row is left for the next pass", async () => {
  await fail(20, 2);
  const held = await t.db.startTransaction().execute();
  await sql`select from login_failure where name_key = 'n1' for update`.execute(held);
  const maintenance = startMaintenance({ db: t.db, chores: CHORES, log, everyMs: 50 });
  const left = async () =>
    (await t.db.selectFrom("login_failure").select("name_key").execute()).map(
      (row) => row.name_key,
    );
  await vi.waitFor(async () => expect(await left()).toEqual(["n1"]));
  await held.commit().execute();
  await vi.waitFor(async () => expect(await left()).toEqual([]));
  await maintenance.stop();
});
