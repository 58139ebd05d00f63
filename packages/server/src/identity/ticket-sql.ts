/** Download tickets; one conditional update by the database's clock makes each work once. */
import { TICKET_SECONDS } from "@red/contract/ticket";
import { sql } from "kysely";
import type { Insertable } from "kysely";
import type { Db, Tx } from "#platform/connection";
import type { Database } from "#platform/schema";

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

/** Uses a ticket up; answers its session, or null when it is not valid for this target. */
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

/** Removes expired tickets, at most `limit`; answers how many. */
export async function deleteOldTickets(tx: Tx, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ticket where ticket_hash in (
      select ticket_hash from ticket where expires_at < now()
      limit ${limit} for update skip locked
    )`.execute(tx);
  return Number(numAffectedRows);
}
