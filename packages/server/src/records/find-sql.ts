/** Searches for the finder of the console: a number by its key, a name by its index or in a small table. */
import { FOUND_MAX, payoutNumber } from "@red/contract/records/find";
import type { Found } from "@red/contract/records/find";
import { sql } from "kysely";

/** One row more than the answer contains, to know whether there are more. */
const LIMIT = FOUND_MAX + 1;

type Row<Kind extends Exclude<keyof Found, "more">> = Found[Kind][number];

/** Returns a LIKE pattern for texts that contain `text`. Special characters are escaped. */
function holding(text: string): string {
  return `%${startingWith(text)}`;
}

function startingWith(text: string): string {
  return `${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/**
 * Finds players whose account starts with the text (in any case) or whose `player_id` equals it. The player with this
 * `player_id` comes first, then the others by account. A caller who may not see accounts only finds the account that
 * equals the text: with prefixes the caller could guess an account letter by letter.
 */
export function foundPlayers(text: string, seesAccounts: boolean) {
  const player_id = seesAccounts ? text : null;
  const account = startingWith(text).slice(0, seesAccounts ? undefined : -1);
  return sql<Row<"players">>`
    (select player_id, user_name, blocked from player where player_id = ${player_id})
    union all
    (select player_id, user_name, blocked from player
     where user_name_key like lower(${account}) and player_id is distinct from ${player_id}
     order by user_name_key using ~<~ limit ${LIMIT})
    limit ${LIMIT}`;
}

/** Finds the records whose payout number starts with the text (see `payoutNumber`), newest first. */
export function foundRecords(text: string) {
  const start = payoutNumber(text);
  // Payout numbers are hex digits, and "g" sorts after all of them in any collation.
  return sql<Row<"records">>`
    select p.trans_sn, l.user_name, p.award_name
    from payout p
    join draw_record r on r.id = p.log_id and r.rounds_id = p.rounds_id
    join player l on l.player_key = r.player_key
    where p.trans_sn >= ${start} and p.trans_sn < ${start}::text || 'g'
    order by p.trans_sn desc limit ${LIMIT}`;
}

/** Finds the deposits and bets with this number of the platform. */
export const foundOrders = (number: string) => sql<
  Omit<Row<"orders">, "created_at"> & { readonly created_at: Date }
>`
  select e.kind, e.number, l.user_name, e.created_at
  from (
    select 'deposit' as kind, order_no as number, player_key, created_at
    from deposit where order_no = ${number}
    union all
    select 'bet', bet_no, player_key, created_at from bet where bet_no = ${number}
  ) e
  join player l on l.player_key = e.player_key
  order by e.created_at desc, e.kind desc limit ${LIMIT}`;

/**
 * Finds rounds whose id equals the text or whose name contains it. The round with this id comes
 * first, then the latest start.
 */
export const foundRounds = (text: string) => sql<Row<"rounds">>`
  select id, rounds_name, to_char(start_date, 'YYYY-MM-DD') as start_date from activity
  where deleted_at is null and (rounds_name ilike ${holding(text)} or id::text = ${text})
  order by id::text = ${text} desc, start_time desc, id desc limit ${LIMIT}`;

export const foundPools = (text: string) => sql<Row<"pools">>`
  select id, pool_name from pool where deleted_at is null and pool_name ilike ${holding(text)}
  order by id desc limit ${LIMIT}`;

export const foundPrizes = (text: string) => sql<Row<"prizes">>`
  select l.id as pool_id, l.pool_name, z.award_name from prize z join pool l on l.id = z.pool_id
  where z.deleted_at is null and l.deleted_at is null and z.award_name ilike ${holding(text)}
  order by z.id desc limit ${LIMIT}`;
