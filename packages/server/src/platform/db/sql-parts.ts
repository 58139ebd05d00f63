import { statesThat } from "@red/contract/platform/codes";
import { sql } from "kysely";
import type { RawBuilder, SelectQueryBuilder } from "kysely";

/** Joins the conditions with AND. `false` means that a filter is not set. */
export function allOf(
  ...conditions: readonly (RawBuilder<unknown> | false)[]
): RawBuilder<boolean> {
  const active = conditions.filter((condition) => condition !== false);
  return active.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(active, sql` and `)}`;
}

/** Returns the states for `in (…)`. They are literals, because the planner uses a partial index only for constants. */
export function stateList(...holds: Parameters<typeof statesThat>): RawBuilder<unknown> {
  return sql.join(statesThat(...holds).map((state) => sql.lit(state)));
}

/**
 * Casts an id to bigint, because callers may send any whole number below 2^53 (behaviour §1). An id out of range then
 * finds no row; as an integer it would be an error.
 */
export function anyId(id: number) {
  return sql<number>`${id}::bigint`;
}

/** Counts the rows of a query that has no order. */
export async function countOf<DB, T extends keyof DB, O>(
  found: SelectQueryBuilder<DB, T, O>,
): Promise<number> {
  const counted = found.clearSelect().select((eb) => eb.fn.countAll<number>().as("count"));
  // The compiler does not know the columns of a generic query.
  return (await counted.$castTo<{ count: number }>().executeTakeFirstOrThrow()).count;
}

/**
 * Writes an array as PostgreSQL reads it, faster than the driver does. The values must not contain commas, braces or
 * quotes.
 */
export function plainArray(values: readonly (number | string | null)[]): string {
  return `{${values.map((value) => value ?? "NULL").join(",")}}`;
}

/** Like `plainArray`, but for any texts. */
export function textArray(values: readonly string[]): string {
  return values.length === 0
    ? "{}"
    : `{"${values
        .join("\0")
        .replaceAll(/["\\]/g, String.raw`\$&`)
        .replaceAll("\0", '","')}"}`;
}
