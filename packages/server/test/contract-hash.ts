/** A hash of the whole database, to show that a refusal changes nothing. */
import type { Db } from "#platform/db/connection";
import { sql } from "kysely";

/** SQL for the hashed rows of a table. Uses of sessions and keys, and refusals, are left out. */
function rowsOf(table: string, withAudit: boolean): string {
  switch (table) {
    case "session":
      return "select (to_jsonb(x) - 'seen_at')::text as row from session x";
    case "api_key":
      return "select (to_jsonb(x) - 'used_at')::text as row from api_key x";
    case "audit_log":
      return `select x::text as row from audit_log x where ${withAudit ? "outcome = 'done'" : "false"}`;
    case "nonce":
    case "audit_about":
    case "rollup":
    case "rollup_delta":
      // The first records a use; the others are derived from rows that are hashed.
      return "select '' as row where false";
    default:
      return `select x::text as row from "${table}" x`;
  }
}

/** `withAudit` includes the audit log, where some calls record a refusal. */
export async function hashOfAll(
  db: Db,
  withAudit: boolean,
  except: readonly string[] = [],
): Promise<string> {
  const tables = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and not relname = any(${[...except]}::text[]) and relnamespace = 'public'::regnamespace order by relname`.execute(
    db,
  );
  const parts = tables.rows.map(
    ({ name }) =>
      `select '${name}' || ' ' || count(*) || ' ' ||
        coalesce(sum(hashtextextended(row, 0)::numeric), 0) as part
       from (${rowsOf(name, withAudit)}) as rows_of`,
  );
  const { rows } = await sql<{ hash: string }>`
    select md5(string_agg(part, ',' order by part)) as hash
    from (${sql.raw(parts.join(" union all "))}) as parts`.execute(db);
  return rows[0]?.hash ?? "";
}
