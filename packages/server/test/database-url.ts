/** The address of a test's database, for what is configured by `DATABASE_URL`. */
import type { ConnectionConfig } from "#platform/connection";

/** As one address, whichever way the tests reach PostgreSQL. */
export function databaseUrl(connection: ConnectionConfig): string {
  const { connectionString, host, user, password, database } = connection;
  if (connectionString !== undefined) {
    return connectionString;
  }
  const secret = typeof password === "string" ? encodeURIComponent(password) : "";
  return `postgres://${user}:${secret}@localhost/${database}?host=${encodeURIComponent(host ?? "")}`;
}
