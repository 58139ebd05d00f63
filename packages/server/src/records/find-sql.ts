/** Searches of the console's finder: a number by its key, a name by its index or in a small table. */
import { FOUND_MAX, payoutNumber } from "@red/contract/find";
import type { FoundPlayer } from "@red/contract/find";
import { sql } from "kysely";
import type { Db } from "#platform/connection";

/** One more than is answered shows that there are more. */
const LIMIT = FOUND_MAX + 1;

/** A pattern of LIKE for texts that hold `text`, whose special characters stand for themselves. */
function holding(text: string): string {
  return `%${startingWith(text)}`;
}

function startingWith(text: string): string {
  return `${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/**
 * Players whose account starts with the text (in any case) or whose `player_id` equals it, the latter first,
 * then by account.
 */
export async function selectFoundPlayers(db: Db, text: string): Promise<FoundPlayer[]> {
  const { rows } = await sql<FoundPlayer>`
    (select player_id, user_name, blocked from player where player_id = ${text})
    union all
    (select player_id, user_name, blocked from player
     where user_name_key like lower(${startingWith(text)}) and player_id <> ${text}
     order by user_name_key using ~<~ limit ${LIMIT})
    limit ${LIMIT}`.execute(db);
  return rows;
}

/** The records whose payout number starts with the text (see `payoutNumber`), the newest first. */
export async function selectFoundRecords(
  db: Db,
  text: string,
): Promise<{ trans_sn: string; user_name: string; award_name: string }[]> {
  const start = payoutNumber(text);
  // Numbers are hex digits: "g" sorts behind them all, in any collation. Nothing is compared with null.
  const { rows } = await sql<{ trans_sn: string; user_name: string; award_name: string }>`
    select p.trans_sn, l.user_name, p.award_name
    from payout p
    join draw_record r on r.id = p.log_id and r.rounds_id = p.rounds_id
    join player l on l.player_key = r.player_key
    where p.trans_sn >= ${start} and p.trans_sn < ${start}::text || 'g'
    order by p.trans_sn desc limit ${LIMIT}`.execute(db);
  return rows;
}

interface FoundOrder {
  readonly kind: "deposit" | "bet";
  readonly number: string;
  readonly user_name: string;
  readonly created_at: Date;
}

/** The deposits and bets with the platform's number. */
export async function selectFoundOrders(db: Db, number: string): Promise<FoundOrder[]> {
  const { rows } = await sql<FoundOrder>`
    select e.kind, e.number, l.user_name, e.created_at
    from (
      select 'deposit' as kind, order_no as number, player_key, created_at
      from deposit where order_no = ${number}
      union all
      select 'bet', bet_no, player_key, created_at from bet where bet_no = ${number}
    ) e
    join player l on l.player_key = e.player_key
    order by e.created_at desc, e.kind desc limit ${LIMIT}`.execute(db);
  return rows;
}

/** Rounds whose number is the text or whose name holds it, the latest start first. */
export async function selectFoundRounds(
  db: Db,
  text: string,
): Promise<{ id: number; rounds_name: string; start_date: string }[]> {
  const { rows } = await sql<{ id: number; rounds_name: string; start_date: string }>`
    select id, rounds_name, to_char(start_date, 'YYYY-MM-DD') as start_date from activity
    where deleted_at is null and (rounds_name ilike ${holding(text)} or id::text = ${text})
    order by id::text = ${text} desc, start_time desc, id desc limit ${LIMIT}`.execute(db);
  return rows;
}

/** Pools whose name holds the text, the newest first. */
export async function selectFoundPools(
  db: Db,
  text: string,
): Promise<{ id: number; pool_name: string }[]> {
  const { rows } = await sql<{ id: number; pool_name: string }>`
    select id, pool_name from pool where deleted_at is null and pool_name ilike ${holding(text)}
    order by id desc limit ${LIMIT}`.execute(db);
  return rows;
}

/** Prizes whose name holds the text, the newest first. */
export async function selectFoundPrizes(
  db: Db,
  text: string,
): Promise<{ pool_id: number; pool_name: string; award_name: string }[]> {
  const { rows } = await sql<{ pool_id: number; pool_name: string; award_name: string }>`
    select l.id as pool_id, l.pool_name, z.award_name from prize z join pool l on l.id = z.pool_id
    where z.deleted_at is null and l.deleted_at is null and z.award_name ilike ${holding(text)}
    order by z.id desc limit ${LIMIT}`.execute(db);
  return rows;
}
