/**
 * Lets the database's clock stand in the past for one transaction, so that the demonstration's history
 * is made by the same statements as its present (behaviour §7). Nothing else may use it.
 */
import { sql } from "kysely";
import type { Tx } from "#platform/connection";

/**
 * Runs `work`, which sets the clock by `setClock` before it writes. Beside the tables, a function of
 * the same name stands for `clock_timestamp()`: this transaction alone looks there before it looks at
 * what PostgreSQL brings. It is gone when `work` is done.
 */
export async function withPastClock(
  tx: Tx,
  work: (setClock: (now: Date) => Promise<void>) => Promise<void>,
): Promise<void> {
  const { rows } = await sql<{ schema: string; path: string }>`
    select current_schema() as schema, current_setting('search_path') as path`.execute(tx);
  const [{ schema, path } = { schema: "public", path: "public" }] = rows;
  const clock = sql`${sql.id(schema)}.clock_timestamp()`;
  const look = async (where: string) => {
    await sql`select set_config('search_path', ${where}, true)`.execute(tx);
  };
  await sql`create function ${clock} returns timestamptz language sql volatile
    as $$ select current_setting('past_clock.now')::timestamptz $$`.execute(tx);
  await look(`${path}, pg_catalog`);
  await work(async (now) => {
    await sql`select set_config('past_clock.now', ${now.toISOString()}, true)`.execute(tx);
  });
  await look(path);
  await sql`drop function ${clock}`.execute(tx);
}
