/** Makes the ticket in the address of a download (behaviour §9). */
import { createHash, randomBytes } from "node:crypto";
import type { Route } from "@red/contract/route";
import { ROUTES } from "@red/contract/routes";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { replaceKept } from "#platform/kept-fields";
import { referText, referTexts } from "#platform/player-names";
import { insertTicket } from "./ticket-sql.ts";

const TICKET_BYTES = 32;

/** Distinguishes tickets from access tokens: both may stand in `token`. */
export const TICKET_PREFIX = "tk_";

export function ticketHash(ticket: string): Buffer {
  return createHash("sha256").update(ticket).digest();
}

/** Hash of a path and its filters, in any order, without `token` and empty ones. */
export function targetHash(path: string, query: Readonly<Record<string, unknown>>): Buffer {
  const filters = Object.entries(query)
    .filter(([name, value]) => name !== "token" && value !== "")
    .map(([name, value]): [string, string] => [name, String(value)])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([path, filters]))
    .digest();
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
    // No export has another address.
    object_id: route === undefined ? await referText(tx, target.path) : target.path,
    after: route === undefined ? {} : await replaceKept(route.query, target.query, "filter", refer),
  });
  return ticket;
}
