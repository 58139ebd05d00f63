/** When PostgreSQL ends a connection, its user gets `unavailable`, not `internal`. */
import { setTimeout as sleep } from "node:timers/promises";
import { inTransaction } from "./connection.ts";
import type { Tx } from "./connection.ts";
import { toAppError } from "./answer.ts";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { expect, test } from "vitest";

const t = useTestDb();

/** From another session, like a crash of PostgreSQL. */
async function end(tx: Tx): Promise<void> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
  await sql`select pg_terminate_backend(${rows[0]?.pid ?? 0})`.execute(t.db);
}

const MOMENTS: readonly [string, (tx: Tx) => Promise<unknown>][] = [
  [
    "between two statements",
    async (tx) => {
      await end(tx);
      await sleep(100);
      await sql`select 1`.execute(tx);
    },
  ],
  [
    "before the commit",
    async (tx) => {
      await end(tx);
      await sleep(100);
    },
  ],
  [
    "while a statement runs",
    async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      const endIt = async () => {
        await sleep(100);
        await sql`select pg_terminate_backend(${rows[0]?.pid ?? 0})`.execute(t.db);
      };
      // At once: the statement may fail before the other session knows.
      await Promise.all([sql`select pg_sleep(10)`.execute(tx), endIt()]);
    },
  ],
];

test.each(MOMENTS)("%s", async (_, work) => {
  const fault: unknown = await inTransaction(t.db, work).catch((error: unknown) => error);
  expect(toAppError(fault, "request").key, String(fault)).toBe("unavailable");
});
