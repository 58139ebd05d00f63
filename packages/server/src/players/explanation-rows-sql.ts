/**
 * A player's deposits or bets around a condition window (behaviour §4), and totals of the rows that the list
 * leaves out. Every answer is bounded.
 */
import { NEAR_ROWS_MAX } from "@red/contract/explanation";
import type { EventKind } from "@red/contract/explanation";
import type { EarningFacts } from "@red/engine/chances";
import type { UncountedRows } from "@red/engine/explanation";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db } from "#platform/connection";
import { columnsOf, rowColumns } from "./event-columns.ts";
import type { EventRow } from "./event-columns.ts";
import type { EarningWindow } from "./event-sql.ts";

type Span = Pick<EarningWindow, "start" | "end">;

/** A player's rows in the window, its last second included. */
function inWindow(player_key: number, { start, end }: Span) {
  return sql`e.player_key = ${player_key}::bigint
    and e.created_at >= ${start}::timestamptz
    and e.created_at < ${end}::timestamptz + interval '1 second'`;
}

export async function selectWindowRows(
  db: Db,
  kind: EventKind,
  span: Span,
  player_key: number,
  limit: number,
): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select ${rowColumns(kind)} from ${sql.table(kind)} e
    where ${inWindow(player_key, span)}
    order by e.created_at desc, e.id desc limit ${limit}`.execute(db);
  return rows;
}

/** The newest rows before the window and the oldest after it, at most `limit` of each. */
export interface NearRows {
  readonly before: readonly EventRow[];
  readonly after: readonly EventRow[];
}

/** Rows next to the window, nearest first. */
export async function selectNearRows(
  db: Db,
  kind: EventKind,
  { start, end }: Span,
  player_key: number,
  limit: number = NEAR_ROWS_MAX,
): Promise<NearRows> {
  const rowsOf = async (where: RawBuilder<unknown>, order: RawBuilder<unknown>) => {
    const { rows } = await sql<EventRow>`
      select ${rowColumns(kind)} from ${sql.table(kind)} e
      where e.player_key = ${player_key}::bigint and ${where}
      order by ${order} limit ${limit}`.execute(db);
    return rows;
  };
  const before = await rowsOf(
    sql`e.created_at < ${start}::timestamptz`,
    sql`e.created_at desc, e.id desc`,
  );
  const after = await rowsOf(
    sql`e.created_at >= ${end}::timestamptz + interval '1 second'`,
    sql`e.created_at, e.id`,
  );
  return { before, after };
}

/** Counts of a window's rows that count, and of those reversed or voided. */
export interface WindowTotals {
  readonly live: UncountedRows;
  readonly cancelled: UncountedRows;
}

/** Exact counts and sums of the rows in the window. */
export async function selectWindowTotals(
  db: Db,
  kind: EventKind,
  span: Span,
  player_key: number,
): Promise<WindowTotals> {
  const { cents, cancelled_at } = columnsOf(kind);
  const { rows } = await sql<{ live: number; live_sum: bigint; gone: number; gone_sum: bigint }>`
    select count(*) filter (where ${cancelled_at} is null) as live,
      coalesce(sum(${cents}) filter (where ${cancelled_at} is null), 0) as live_sum,
      count(*) filter (where ${cancelled_at} is not null) as gone,
      coalesce(sum(${cents}) filter (where ${cancelled_at} is not null), 0) as gone_sum
    from ${sql.table(kind)} e where ${inWindow(player_key, span)}`.execute(db);
  const { live = 0, live_sum = 0n, gone = 0, gone_sum = 0n } = rows[0] ?? {};
  return {
    live: { count: live, sum_cents: live_sum },
    cancelled: { count: gone, sum_cents: gone_sum },
  };
}

/** Rows of a window that a list leaves out, with the facts of those that count. */
export interface OlderRows {
  readonly count: number;
  readonly facts: EarningFacts;
}

/** Rows of the window that are older than `oldest`, the last row of a list. */
export async function selectOlderRows(
  db: Db,
  kind: EventKind,
  window: EarningWindow,
  player_key: number,
  oldest: Pick<EventRow, "id" | "created_at">,
): Promise<OlderRows> {
  const { cents, cancelled_at } = columnsOf(kind);
  const counts = sql`${cancelled_at} is null`;
  const { rows } = await sql<{ count: number } & EarningFacts>`
    select count(*) as count,
      least(coalesce(sum(${cents}) filter (where ${counts}), 0), ${window.limit}::bigint)::bigint
        as sum_cents,
      coalesce(max(${cents}) filter (where ${counts}), 0) as max_cents,
      least(coalesce(sum(${cents} / ${window.value_cents}::bigint) filter (where ${counts}), 0),
            ${window.limit}::bigint)::bigint as fulls
    from ${sql.table(kind)} e
    where ${inWindow(player_key, window)}
      and (e.created_at, e.id) < (${oldest.created_at}::timestamptz, ${oldest.id}::bigint)`.execute(
    db,
  );
  const { count = 0, sum_cents = 0, max_cents = 0, fulls = 0 } = rows[0] ?? {};
  return { count, facts: { sum_cents, max_cents, fulls } };
}
