/** Removes what sign-ins and signed calls leave behind, so that its tables do not grow forever (behaviour §9). */
import type { Db } from "#platform/db/connection";
import { inPortions } from "#platform/upkeep-job";
import { deleteOldNonces } from "./api-key-sql.ts";
import { deleteOldFailures } from "./login-failure-sql.ts";
import { deleteOldSessions, expireSessions } from "./session-sql.ts";
import { deleteOldTickets } from "./ticket.ts";

/**
 * Marks expired sessions and removes old sessions, tickets, failed sign-ins and nonces; answers how many. Processes may do it
 * side by side: rows that another one has locked are skipped. Ends early, without harm, once `signal` is aborted.
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
