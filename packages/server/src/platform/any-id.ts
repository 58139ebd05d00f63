/** Callers may send any whole number below 2^53 (behaviour §1), beyond an integer column's range. */
import { sql } from "kysely";

/** As a bigint, an id out of range finds nothing; as an integer it would be an error. */
export function anyId(id: number) {
  return sql<number>`${id}::bigint`;
}
