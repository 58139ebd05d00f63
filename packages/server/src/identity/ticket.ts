/**
 * Tickets in the addresses of downloads (behaviour §9). One conditional update, by the database clock,
 * makes each ticket valid only once.
 */
import { createHash, randomBytes } from "node:crypto";
import type { Route } from "@red/contract/platform/route";
import { ROUTES } from "@red/contract/routes";
import { TICKET_SECONDS } from "@red/contract/identity/ticket";
import { sql } from "kysely";
import type { Insertable } from "kysely";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Db, Tx } from "#platform/db/connection";
import { replaceKept } from "#platform/kept-fields";
import { referText, referTexts } from "#platform/player-names";
import type { Database } from "#platform/db/schema";

const TICKET_BYTES = 32;

/** Distinguishes tickets from access tokens, because `token` may contain either. */
export const TICKET_PREFIX = "tk_";

export function ticketHash(ticket: string): Buffer {
  return createHash("sha256").update(ticket).digest();
}

/** Returns a hash of the path and its filters in any order, without `token` and empty filters. */
export function targetHash(path: string, query: Readonly<Record<string, unknown>>): Buffer {
  const filters = Object.entries(query)
    .filter(([name, value]) => name !== "token" && value !== "")
    .map(([name, value]): [string, string] => [name, String(value)])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([path, filters]))
    .digest();
}

export async function insertTicket(
  tx: Tx,
  ticket: Omit<Insertable<Database["ticket"]>, "expires_at">,
): Promise<void> {
  const expires_at = sql<Date>`now() + make_interval(secs => ${TICKET_SECONDS}::int)`;
  await tx
    .insertInto("ticket")
    .values({ ...ticket, expires_at })
    .execute();
}

const EXPORTS = Object.values<Readonly<Record<string, Route>>>(ROUTES)
  .flatMap((routes) => Object.values(routes))
  .filter(({ access }) => access === "download")
  .map(({ path, query }) => ({
    query,
    is: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));

export async function createTicket(
  tx: Tx,
  actor: Actor,
  token_hash: Buffer,
  target: { readonly path: string; readonly query: Readonly<Record<string, string>> },
): Promise<string> {
  const ticket = TICKET_PREFIX + randomBytes(TICKET_BYTES).toString("base64url");
  await insertTicket(tx, {
    ticket_hash: ticketHash(ticket),
    token_hash,
    target_hash: targetHash(target.path, target.query),
  });
  const route = EXPORTS.find(({ is }) => is.test(target.path));
  const refer = (texts: readonly string[]) => referTexts(tx, texts);
  await insertAudit(tx, actor, {
    action: "create_ticket",
    object_type: "download",
    // Only addresses of exports are stored unchanged, because other text may name a player.
    object_id: route === undefined ? await referText(tx, target.path) : target.path,
    after: route === undefined ? {} : await replaceKept(route.query, target.query, "filter", refer),
  });
  return ticket;
}

/** Uses up a ticket. Returns its session, or null if the ticket is not valid for this target. */
export async function useTicket(
  db: Db,
  ticket_hash: Buffer,
  target_hash: Buffer,
): Promise<Buffer | null> {
  const row = await db
    .updateTable("ticket")
    .set({ used_at: sql<Date>`now()` })
    .where("ticket_hash", "=", ticket_hash)
    .where("target_hash", "=", target_hash)
    .where("used_at", "is", null)
    .where("expires_at", ">", sql<Date>`now()`)
    .returning("token_hash")
    .executeTakeFirst();
  return row?.token_hash ?? null;
}

/** Deletes at most `limit` expired tickets and returns their number. */
export async function deleteOldTickets(tx: Tx, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ticket where ticket_hash in (
      select ticket_hash from ticket where expires_at < now()
      limit ${limit} for update skip locked
    )`.execute(tx);
  return Number(numAffectedRows);
}
