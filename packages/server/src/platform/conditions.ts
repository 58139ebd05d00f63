/** Optional filters and lists of states in SQL. */
import { statesThat } from "@red/contract/lookups";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

/** Joins the conditions with AND; `false` stands for an unset filter. */
export function allOf(
  ...conditions: readonly (RawBuilder<unknown> | false)[]
): RawBuilder<boolean> {
  const active = conditions.filter((condition) => condition !== false);
  return active.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(active, sql` and `)}`;
}

/** For `in (…)`; literals, because only with constants does the planner use a partial index. */
export function stateList(...holds: Parameters<typeof statesThat>): RawBuilder<unknown> {
  return sql.join(statesThat(...holds).map((state) => sql.lit(state)));
}
