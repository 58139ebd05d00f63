/** Months of deposits and bets that were taken out (docs/operations.md), against the windows of rounds. */
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

/** SQL: whether a window, its last second included, touches the UTC month that begins on the date `month`. */
export function touchesMonth(
  month: RawBuilder<unknown>,
  opens: RawBuilder<unknown>,
  closes: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`(${opens} < (${month} + interval '1 month') at time zone 'UTC'
    and ${closes} + interval '1 second' > ${month}::timestamp at time zone 'UTC')`;
}

/** SQL: the kind of rows that a rule with this `condition_name` counts; null: it counts no rows. */
export const countedKind = (condition_name: RawBuilder<unknown>) =>
  sql`case ${condition_name} when '1' then 'bet' when '2' then 'deposit' end`;
