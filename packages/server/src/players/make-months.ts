/** Makes the partitions of deposits and bets before the first row needs them, so that no call waits for one. */
import { inTransaction } from "#platform/connection";
import type { Db } from "#platform/connection";
import { ensureMonths } from "./event-sql.ts";
import { sql } from "kysely";

/** Makes those of this month and the next, by the database's clock in UTC, where they are missing. */
export async function makeMonths(db: Db): Promise<{ readonly months: number }> {
  let made = 0;
  for (const kind of ["deposit", "bet"] as const) {
    const { rows } = await sql<{ month: string }>`
      select to_char(month, 'YYYY-MM-DD') as month
      from (select date_trunc('month', now() at time zone 'UTC') + ahead * interval '1 month' as month
        from generate_series(0, 1) as ahead) as m
      where to_regclass(${kind} || to_char(month, '_YYYYMM')) is null
      order by month`.execute(db);
    for (const { month } of rows) {
      await inTransaction(db, (tx) => ensureMonths(tx, kind, [month]));
      made += 1;
    }
  }
  return { months: made };
}
