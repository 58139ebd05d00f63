/** How optional filters and lists of states are written in SQL. */
import { statesThat } from "@red/contract/lookups";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

/** All of the conditions that there are; what is not asked for is `false` and is left out. */
export function allOf(
  ...conditions: readonly (RawBuilder<unknown> | false)[]
): RawBuilder<boolean> {
  const given = conditions.filter((condition) => condition !== false);
  return given.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(given, sql` and `)}`;
}

/**
 * The payout states for which this holds, as a list for `in (…)`. Literals and not parameters: with
 * constants the planner sees that a partial index will do.
 */
export function stateList(...holds: Parameters<typeof statesThat>): RawBuilder<unknown> {
  return sql.join(statesThat(...holds).map((state) => sql.lit(state)));
}
