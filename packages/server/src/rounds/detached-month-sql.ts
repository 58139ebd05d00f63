/** Compares the windows of rounds with the removed months of deposits and bets (docs/operations.md). */
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

/**
 * SQL: whether a window overlaps the UTC month that begins on the date `month`. The last second of
 * the window belongs to it.
 */
export function touchesMonth(
  month: RawBuilder<unknown>,
  opens: RawBuilder<unknown>,
  closes: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`(${opens} < (${month} + interval '1 month') at time zone 'UTC'
    and ${closes} + interval '1 second' > ${month}::timestamp at time zone 'UTC')`;
}

/** SQL: the kind of rows that a rule with this `condition_name` counts, or null if the rule counts no rows. */
export const countedKind = (condition_name: RawBuilder<unknown>) =>
  sql`case ${condition_name} when '1' then 'bet' when '2' then 'deposit' end`;
