/** Stores and claims messages of the webhooks (behaviour §14). webhook-note.sql writes new messages. */
import type { Received } from "@red/contract/platform/route";
import type { webhookRoutes, WebhookType } from "@red/contract/webhooks/webhook";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { allOf, countOf, plainArray } from "#platform/db/sql-parts";
import type { Db, Tx } from "#platform/db/connection";
import { inPortions } from "#platform/upkeep-job";

export interface ClaimedMessage {
  readonly id: number;
  readonly message_id: string;
  readonly type: WebhookType;
  /** Number of this attempt. The lease belongs to this attempt. */
  readonly attempts: number;
  readonly created_at: Date;
  readonly data: object;
}

const milliseconds = (ms: number | RawBuilder<unknown>) => sql`${ms}::float8 * interval '1 ms'`;

/** SQL: whether no earlier message about the same subject waits, or an operator requested this message. */
const FREE = sql`(m.is_asked_for or not exists (select from webhook_message e
  where e.subject = m.subject and e.id < m.id and e.state = 'waiting'))`;

/**
 * Claims due messages for `leaseMs`. A message waits for earlier messages about the same subject, unless an
 * operator requested it. Player and reason of a payout are read only now, so the message never names an erased
 * player, and a payout that is sent again has no reason.
 */
export async function claimMessages(
  tx: Tx,
  limit: number,
  leaseMs: number,
): Promise<ClaimedMessage[]> {
  const { rows } = await sql<ClaimedMessage>`
    with due as materialized (
      select m.id from webhook_message m
      where m.state = 'waiting' and m.due_at <= now() and (m.lease_until <= now()) is not false and ${FREE}
      order by m.due_at, m.id
      limit ${limit}
      for update skip locked
    ), claimed as (
      update webhook_message m
      set attempts = m.attempts + 1, lease_until = clock_timestamp() + ${milliseconds(leaseMs)}
      where m.id = any(array(select id from due))
      returning m.*
    )
    select c.id, c.message_id, c.type, c.attempts, c.created_at,
      c.data || case when p.trans_sn is null then '{}' else jsonb_build_object('player_id', y.player_id) end
        || case c.type when 'payout.failed'
          then jsonb_build_object('reason', coalesce(p.fail_reason, p.check_reason)) else '{}' end as data
    from claimed c
    left join payout p on p.trans_sn = c.data->>'trans_sn'
    left join player y on y.player_key = p.player_key
    order by c.id`.execute(tx);
  return rows;
}

export interface AnsweredMessage {
  readonly id: number;
  readonly attempts: number;
  readonly is_taken: boolean;
  readonly answer: string;
  /** Wait until the next attempt. Not used if the platform accepted the message. */
  readonly retry_ms: number;
}

/** Stores the results of attempts. After a lost lease only an accepted message counts. */
export async function settleMessages(tx: Tx, answered: readonly AnsweredMessage[]): Promise<void> {
  await sql`
    update webhook_message m
    set state = case when x.is_taken then 'delivered' else 'waiting' end, answer = x.answer, lease_until = null,
      ended_at = case when x.is_taken then clock_timestamp() end,
      due_at = clock_timestamp() + ${milliseconds(sql`x.retry_ms * (0.9 + random() / 5)`)}
    from json_to_recordset(${JSON.stringify(answered)}::json)
      as x (id bigint, attempts integer, is_taken boolean, answer text, retry_ms float8)
    where m.id = x.id and m.state = 'waiting' and (x.is_taken or m.attempts = x.attempts)`.execute(
    tx,
  );
}

/** Makes messages due at once, in any state. Returns the ids that exist. */
export async function queueAgain(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update webhook_message
    set state = 'waiting', is_asked_for = true, ended_at = null, waits_since = clock_timestamp(), due_at = clock_timestamp()
    where id = any(${plainArray(ids)}::bigint[])
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Returns one page, newest first, and the total number of matches. */
export async function selectMessages(db: Db, match: Received<typeof webhookRoutes.list>["query"]) {
  const { state, type, trans_sn, page, size } = match;
  const matches = db
    .selectFrom("webhook_message as m")
    .where(
      allOf(
        state !== undefined && sql`m.state = ${state}`,
        type !== undefined && sql`m.type = ${type}`,
        trans_sn !== undefined && sql`m.subject = 'payout ' || ${trans_sn}::text`,
      ),
    );
  const total = await countOf(matches);
  const rows = await matches
    .select(["m.id", "m.message_id", "m.type", "m.created_at", "m.state", "m.attempts"])
    .select(["m.answer", "m.ended_at"])
    .select(
      sql<string>`coalesce(m.data->>'trans_sn', m.data->>'award_name', m.data->>'rounds_name')`.as(
        "about",
      ),
    )
    .select(
      sql<Date | null>`case when m.state = 'waiting' and m.due_at > now() then m.due_at end`.as(
        "next_at",
      ),
    )
    .orderBy("m.id", "desc")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return { rows, total };
}

export async function countWaiting(db: Db): Promise<number> {
  return await countOf(db.selectFrom("webhook_message").where("state", "=", sql.lit("waiting")));
}

/** Returns the time at which the next message may be claimed, or null if no message waits. */
export async function selectNextDue(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ due_at: Date }>`
    select m.due_at from webhook_message m where m.state = 'waiting' and ${FREE}
    order by m.due_at limit 1`.execute(db);
  return rows[0]?.due_at ?? null;
}

async function giveUp(tx: Tx, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update webhook_message set state = 'given_up', ended_at = clock_timestamp(), lease_until = null
    where id in (select id from webhook_message
      where state = 'waiting' and waits_since < now() - interval '3 days'
      limit ${limit} for update skip locked)`.execute(tx);
  return Number(numAffectedRows);
}

async function deleteEnded(tx: Tx, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from webhook_message
    where id in (select id from webhook_message
      where state <> 'waiting' and ended_at < now() - interval '30 days'
      limit ${limit} for update skip locked)`.execute(tx);
  return Number(numAffectedRows);
}

/** Background task: gives up messages that waited for three days, and deletes messages that ended thirty days ago. */
export async function tidyMessages(db: Db, signal: AbortSignal) {
  return {
    given_up: await inPortions(db, giveUp, signal),
    deleted: await inPortions(db, deleteEnded, signal),
  };
}
