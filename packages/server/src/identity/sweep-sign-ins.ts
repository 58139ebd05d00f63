/** Deletes old sessions, tickets, failures and nonces, so that their tables do not grow forever (behaviour §9). */
import type { Db } from "#platform/db/connection";
import { inPortions } from "#platform/upkeep-job";
import { deleteOldNonces } from "./api-key-sql.ts";
import { deleteOldFailures } from "./login-failure-sql.ts";
import { deleteOldSessions, expireSessions } from "./session-sql.ts";
import { deleteOldTickets } from "./ticket.ts";

/**
 * Also marks expired sessions as ended; answers how many rows of each kind. Several processes may do this at once: locked rows
 * are skipped. Ends early, without harm, once `signal` is aborted.
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
