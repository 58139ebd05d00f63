/**
 * Reads the deposits or bets of a player around a condition window (behaviour §4), and totals of
 * the rows that the list omits. Every answer has a size limit.
 */
import { NEAR_ROWS_MAX } from "@red/contract/chances/explanation";
import type { EventKind } from "@red/contract/events/event";
import { NO_FACTS, plusFacts } from "@red/engine/chances";
import type { EarningFacts } from "@red/engine/chances";
import type { UncountedRows } from "@red/engine/explanation";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db } from "#platform/db/connection";
import { oneRow } from "#platform/db/one-row";
import { rowColumns } from "#events/event-columns";
import type { EventRow } from "#events/event-columns";
import { onPlatforms, selectEventSums, sumsOf } from "#events/event-chunk-sql";
import type { RowSums } from "#events/event-chunk-sql";
import { factsOfSums, spanOf } from "#events/event-facts-sql";
import type { EarningWindow } from "#events/event-facts-sql";

type Span = Pick<EarningWindow, "start" | "end">;

/** SQL: the rows of a player in the window. The last second belongs to the window. */
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

/**
 * Returns at most `limit` rows before and `limit` rows after the window, nearest first. For bets,
 * `platforms` limits the platforms; an empty list means all.
 */
export async function selectNearRows(
  db: Db,
  kind: EventKind,
  { start, end }: Span,
  player_key: number,
  limit: number = NEAR_ROWS_MAX,
  platforms: readonly number[] = [],
) {
  const rowsOf = async (where: RawBuilder<unknown>, order: RawBuilder<unknown>) => {
    const { rows } = await sql<EventRow>`
      select ${rowColumns(kind)} from ${sql.table(kind)} e
      where e.player_key = ${player_key}::bigint and ${where} and ${onPlatforms(platforms)}
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

export interface WindowTotals {
  readonly live: UncountedRows;
  readonly cancelled: UncountedRows;
}

/**
 * Returns exact counts and totals of the rows in the window. For bets, `platforms` limits the
 * platforms; an empty list means all.
 */
export async function selectWindowTotals(
  db: Db,
  kind: EventKind,
  span: Span,
  player_key: number,
  platforms: readonly number[] = [],
): Promise<WindowTotals> {
  const { live, live_cents, gone, gone_cents } = oneRow(
    await selectEventSums(db, kind, 1, spanOf(span), [player_key], platforms),
  );
  return {
    live: { count: live, sum_cents: live_cents },
    cancelled: { count: gone, sum_cents: gone_cents },
  };
}

/** Returns the number of rows in the window that are older than `oldest`, and the facts of those rows that count. */
export async function selectOlderRows(
  db: Db,
  kind: EventKind,
  window: EarningWindow,
  player_key: number,
  oldest: Pick<EventRow, "id" | "created_at">,
): Promise<{ readonly count: number; readonly facts: EarningFacts }> {
  const { value_cents, platforms } = window;
  // Rows of the same millisecond are compared by id.
  const { rows } = await sql<RowSums & { n: number }>`
    select ${sumsOf(kind, value_cents, platforms)}, count(*) as n from ${sql.table(kind)} e
    where e.player_key = ${player_key}::bigint and e.created_at = ${oldest.created_at}::timestamptz
      and e.id < ${oldest.id}::bigint`.execute(db);
  const span = { from: window.start, to: oldest.created_at };
  const older = await selectEventSums(db, kind, value_cents, span, [player_key], platforms);
  // The list shows bets on every platform, so the count must include all platforms.
  const all =
    platforms.length === 0 ? older : await selectEventSums(db, kind, 1, span, [player_key]);
  const both = [...rows, ...older];
  return {
    count: all.reduce((count, { live, gone }) => count + live + gone, oneRow(rows).n),
    facts: both.map((sums) => factsOfSums(sums, window.limit)).reduce(plusFacts, NO_FACTS),
  };
}
