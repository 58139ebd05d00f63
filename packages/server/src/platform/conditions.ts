/** How optional filters are written in SQL. */
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

/** All of the conditions that there are; what is not asked for is `false` and is left out. */
export function allOf(
  ...conditions: readonly (RawBuilder<unknown> | false)[]
): RawBuilder<boolean> {
  const given = conditions.filter((condition) => condition !== false);
  return given.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(given, sql` and `)}`;
}
