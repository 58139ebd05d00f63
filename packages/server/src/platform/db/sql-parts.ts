/** Parts that many statements share. */
import { statesThat } from "@red/contract/platform/codes";
import { sql } from "kysely";
import type { RawBuilder, SelectQueryBuilder } from "kysely";

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

/**
 * Callers may send any whole number below 2^53 (behaviour §1). As a bigint, an id out of range finds nothing; as an
 * integer it would be an error.
 */
export function anyId(id: number) {
  return sql<number>`${id}::bigint`;
}

/** How many rows a query without an order finds, whatever it selects. */
export async function countOf<DB, T extends keyof DB, O>(
  found: SelectQueryBuilder<DB, T, O>,
): Promise<number> {
  const counted = found.clearSelect().select((eb) => eb.fn.countAll<number>().as("count"));
  // Of a query of any kind the compiler does not know what it selects.
  return (await counted.$castTo<{ count: number }>().executeTakeFirstOrThrow()).count;
}

/** An array as PostgreSQL reads it, of values without commas, braces and quotes; the driver's own form takes longer. */
export function plainArray(values: readonly (number | string | null)[]): string {
  return `{${values.map((value) => value ?? "NULL").join(",")}}`;
}

/** The same of any texts. */
export function textArray(values: readonly string[]): string {
  return values.length === 0
    ? "{}"
    : `{"${values
        .join("\0")
        .replaceAll(/["\\]/g, String.raw`\$&`)
        .replaceAll("\0", '","')}"}`;
}
