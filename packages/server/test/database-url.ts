/** Makes a `DATABASE_URL` of a test's database. */
import type { ConnectionConfig } from "#platform/db/connection";

export function databaseUrl(connection: ConnectionConfig): string {
  const { connectionString, host, user, password, database } = connection;
  if (connectionString !== undefined) {
    return connectionString;
  }
  const secret = typeof password === "string" ? encodeURIComponent(password) : "";
  return `postgres://${user}:${secret}@localhost/${database}?host=${encodeURIComponent(host ?? "")}`;
}
