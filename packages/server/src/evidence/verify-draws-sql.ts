/** Records with everything that a draw is derived from (behaviour §5). */
import { sql } from "kysely";
import type { Db } from "#platform/connection";
import { streamRows } from "#platform/snapshot";

export interface DrawnRecord {
  readonly id: number;
  readonly rounds_id: number;
  readonly prize_id: number;
  readonly award_name: string;
  readonly award_price_cents: number;
  readonly turnover: number;
  readonly rule_version: number;
  readonly pool_id: number;
  readonly pool_version: number;
  readonly ticket: number;
  readonly fallback_ticket: number | null;
  readonly exhausted: readonly number[];
  readonly created_at: Date;
}

/** In no order. */
export function streamDraws(snapshot: Db): AsyncGenerator<DrawnRecord[]> {
  return streamRows<DrawnRecord>(
    snapshot,
    sql`
      select id, rounds_id, prize_id, award_name, award_price_cents, turnover, rule_version,
        pool_id, pool_version, ticket, fallback_ticket, exhausted, created_at
      from draw_record`,
  );
}
