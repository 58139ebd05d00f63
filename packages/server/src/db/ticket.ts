/** Download tickets; the database's clock and one conditional update make each work once. */
import { TICKET_SECONDS } from "@red/contract/ticket";
import { sql } from "kysely";
import type { Db, Tx } from "./connection.ts";

/** Adds a ticket of a session, and clears away those that are long over. */
export async function insertTicket(
  tx: Tx,
  ticket: {
    readonly ticket_hash: Buffer;
    readonly token_hash: Buffer;
    readonly target_hash: Buffer;
  },
): Promise<void> {
  await tx
    .deleteFrom("ticket")
    .where("expires_at", "<", sql<Date>`now() - interval '1 day'`)
    .execute();
  await tx
    .insertInto("ticket")
    .values({
      ...ticket,
      expires_at: sql<Date>`now() + make_interval(secs => ${TICKET_SECONDS}::int)`,
    })
    .execute();
}

/** Spends a ticket on its target; the session that it belongs to, or null when it is not good. */
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
