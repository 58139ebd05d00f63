/** A past database clock for one transaction; only for the demonstration's history (behaviour §7). */
import { sql } from "kysely";
import type { Tx } from "#platform/connection";

/**
 * Runs `work`, which calls `setClock` before it writes. A temporary function hides `clock_timestamp()` for
 * this transaction only; it is dropped when `work` is done.
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
