/** What a rule is judged by before it is saved (behaviour §4). */
import { sql } from "kysely";
import type { Db } from "#platform/connection";

const ROWS = {
  deposit: sql`select id, amount_cents as cents, reversed_at as gone_at, created_at from deposit`,
  bet: sql`select id, valid_bet_cents as cents, voided_at as gone_at, created_at from bet`,
} as const;

/**
 * The largest deposit or bet of the last seven days that is neither reversed nor void, in cents; null without any. Reads
 * at most the newest million rows, through their ids, which are in the order of time.
 */
export async function selectLargest(db: Db, kind: keyof typeof ROWS): Promise<number | null> {
  const { rows } = await sql<{ cents: number | null }>`
    select max(n.cents) as cents
    from (
      select e.cents, e.gone_at from (${ROWS[kind]}) e
      where e.created_at >= statement_timestamp() - interval '7 days'
      order by e.id desc limit 1000000
    ) n
    where n.gone_at is null`.execute(db);
  return rows[0]?.cents ?? null;
}
