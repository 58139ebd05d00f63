/** Deletes old sessions, tickets, failures and nonces, so that their tables do not grow forever (behaviour §9). */
import type { Db } from "#platform/db/connection";
import { inPortions } from "#platform/upkeep-job";
import { deleteOldNonces } from "./api-key-sql.ts";
import { deleteOldFailures } from "./login-failure-sql.ts";
import { deleteOldSessions, expireSessions } from "./session-sql.ts";
import { deleteOldTickets } from "./ticket.ts";

/**
 * Also marks expired sessions as ended. Returns the number of rows of each kind. Several processes may run this at
 * once, because locked rows are skipped. Stops early when `signal` is aborted; the next run does the rest.
 */
export async function sweepSignIns(db: Db, signal: AbortSignal) {
  return {
    expired_sessions: await inPortions(db, expireSessions, signal),
    deleted_sessions: await inPortions(db, deleteOldSessions, signal),
    deleted_tickets: await inPortions(db, deleteOldTickets, signal),
    deleted_failures: await inPortions(db, deleteOldFailures, signal),
    deleted_nonces: await inPortions(db, deleteOldNonces, signal),
  };
}
