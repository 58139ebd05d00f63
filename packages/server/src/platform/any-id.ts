/** Ids of callers, for columns that are narrower. */
import { sql } from "kysely";

/**
 * An id to compare an integer column with. Callers may send any whole number below 2^53 (behaviour §1);
 * as a bigint, one beyond the column's range finds nothing, where an integer would be an error.
 */
export function anyId(id: number) {
  return sql<number>`${id}::bigint`;
}
