import { randomBytes } from "node:crypto";
import { LOGIN_FAILURES_MAX } from "@red/contract/limits";
import type { LogIn } from "./log-in.ts";
import { secretBox } from "#platform/secret-box";
import { inTransaction, openDb, openPool } from "#platform/connection";
import type { Db } from "#platform/connection";
import { insertFailure, lockAttempts } from "./login-failure-sql.ts";
import { attempt, boundOperator, codeAt, later, wrongCodeAt } from "#test/operator-factory";
import { hold, untilWaiting } from "#test/races";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { expect, test } from "vitest";

const t = useTestDb();
const secrets = secretBox(randomBytes(32));
const NOW = new Date(Math.floor(Date.now() / 30_000) * 30_000 + 15_000);
const WRONG = "not the password";

async function outcome(input: Partial<LogIn> & { readonly name: string }, db: Db = t.db) {
  try {
    const result = await attempt(db, secrets, input, NOW);
    return "msg" in result ? result.msg : result.kind;
  } catch (fault) {
    return fault instanceof Error ? fault.message : "";
  }
}

async function failTimes(times: number, input: Partial<LogIn> & { readonly name: string }) {
  const outcomes: string[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    outcomes.push(await outcome({ password: WRONG, ...input }));
  }
  return outcomes;
}

/** Failures as rows: each attempt would hash a password. */
async function plantFailures(name: string, address = "192.0.2.1", times = LOGIN_FAILURES_MAX - 1) {
  for (let turn = 0; turn < times; turn += 1) {
    await inTransaction(t.db, (tx) => insertFailure(tx, { name, address }));
  }
}

async function age(name: string, minutes: number): Promise<void> {
  await t.db
    .updateTable("login_failure")
    .set({ failed_at: sql<Date>`failed_at - make_interval(mins => ${minutes}::int)` })
    .where("name_key", "=", name)
    .execute();
}

test("ten failures lock the account for that address alone, also for the right password", async () => {
  const name = "lock-ten";
  await boundOperator(t.db, secrets, name, later(NOW, -600));
  await boundOperator(t.db, secrets, "lock-neighbour", later(NOW, -600));
  expect(await failTimes(LOGIN_FAILURES_MAX, { name })).toEqual(
    Array.from({ length: LOGIN_FAILURES_MAX }, () => "login_wrong"),
  );
  await expect(attempt(t.db, secrets, { name }, NOW)).rejects.toMatchObject({
    key: "login_locked",
    values: { minutes: 15 },
  });
  expect(await outcome({ name: "LOCK-ten" })).toBe("login_locked");
  expect(await outcome({ name, address: "192.0.2.2" })).toBe("code_needed");
  expect(await outcome({ name: "lock-neighbour" })).toBe("code_needed");
});

test("the lock survives a restart, and ends when the failures are 15 minutes old", async () => {
  const name = "lock-restart";
  await boundOperator(t.db, secrets, name, later(NOW, -600));
  await plantFailures(name, "192.0.2.1", LOGIN_FAILURES_MAX);
  const options = { max: 2, name: "restarted", statementTimeoutMs: 0, onFault: () => {} };
  const restarted = openDb(openPool(t.connection, options));
  expect(await outcome({ name }, restarted)).toBe("login_locked");
  await restarted.destroy();
  await age(name, 10);
  await expect(attempt(t.db, secrets, { name }, NOW)).rejects.toMatchObject({
    values: { minutes: 5 },
  });
  await age(name, 5);
  expect(await outcome({ name })).toBe("code_needed");
});

test("an account that does not exist is locked like one that does", async () => {
  const name = "lock-nobody";
  await plantFailures(name);
  expect(await failTimes(2, { name })).toEqual(["login_wrong", "login_locked"]);
});

test("wrong codes count, calls without a code and used codes do not, and step 1 resets nothing", async () => {
  const name = "lock-codes";
  const secret = await boundOperator(t.db, secrets, name, later(NOW, -600));
  const code = wrongCodeAt(secret, NOW);
  await outcome({ name, code: codeAt(secret, later(NOW, -30)), address: "198.51.100.1" });
  await plantFailures(name);
  expect(await outcome({ name })).toBe("code_needed");
  expect(await outcome({ name, code: codeAt(secret, later(NOW, -30)) })).toBe("code_used");
  expect(await outcome({ name, code })).toBe("code_wrong");
  expect(await outcome({ name, code: codeAt(secret, NOW) })).toBe("login_locked");
});

test("an attempt waits for the one before it and counts its failure", async () => {
  const tenth = { name: "lock-in-turn", address: "192.0.2.1" };
  await plantFailures(tenth.name);
  const held = await hold(t.db, async (tx) => {
    await lockAttempts(tx, tenth);
    await insertFailure(tx, tenth);
  });
  const eleventh = outcome({ name: tenth.name, password: WRONG });
  await untilWaiting(t.db);
  await held.commit();
  expect(await eleventh).toBe("login_locked");
});

async function audits(name: string) {
  return await t.db
    .selectFrom("audit_log as l")
    .leftJoin("operator as o", (join) => join.on(sql`o.id::text`, "=", sql.ref("l.object_id")))
    .select(["l.action", "l.actor_kind", "l.outcome", "l.address", "l.after"])
    .where("l.object_type", "=", "operator")
    .where("o.name_key", "=", name)
    .orderBy("l.id")
    .execute();
}

test("each failure leaves one audit row with its reason; the one that locks says for how long", async () => {
  const name = "lock-audited";
  const secret = await boundOperator(t.db, secrets, name, later(NOW, -600));
  const before = (await audits(name)).length;
  await plantFailures(name, "192.0.2.1", LOGIN_FAILURES_MAX - 2);
  await outcome({ name, code: wrongCodeAt(secret, NOW) });
  await failTimes(3, { name });
  const row = (after: object) => ({
    action: "log_in",
    actor_kind: "system",
    outcome: "refused",
    address: "::1",
    after,
  });
  expect((await audits(name)).slice(before)).toEqual([
    row({ why: "wrong_code", failures: 9 }),
    row({ why: "wrong_password", failures: 10, locked_minutes: 15 }),
  ]);
});

test("an unknown name is not audited: it may be a password", async () => {
  const name = "hunter2 hunter2";
  await failTimes(1, { name });
  const row = await t.db
    .selectFrom("audit_log")
    .selectAll()
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({
    action: "log_in",
    outcome: "refused",
    object_id: null,
    after: { why: "unknown_name", failures: 1 },
  });
  expect(JSON.stringify(row)).not.toContain("hunter2");
});

test("a success clears the failures from its own address only", async () => {
  const name = "lock-success";
  const secret = await boundOperator(t.db, secrets, name, later(NOW, -600));
  const elsewhere = "192.0.2.66";
  await plantFailures(name);
  await plantFailures(name, elsewhere);
  expect(await outcome({ name, code: codeAt(secret, NOW) })).toBe("signed_in");
  await failTimes(1, { name });
  await failTimes(1, { name, address: elsewhere });
  expect(await outcome({ name })).toBe("code_needed");
  expect(await outcome({ name, address: elsewhere })).toBe("login_locked");
});
