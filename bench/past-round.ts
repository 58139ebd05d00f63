/** A round that is over, with many records: what is exported, listed and signed off. */
import { sql } from "kysely";
import { sealRecords } from "../packages/server/src/evidence/seal-records.ts";
import { inTransaction } from "../packages/server/src/platform/db/connection.ts";
import type { Db } from "../packages/server/src/platform/db/connection.ts";

/**
 * Adds the round with its own pool and players, and `records` sealed records, each with a payout: three of ten are refused,
 * the others paid. Answers the round's number.
 */
export async function makePastRound(db: Db, records: number): Promise<number> {
  const players = Math.ceil(records / 20);
  await sql`insert into pool (pool_name) values ('past')`.execute(db);
  await sql`
    insert into prize (pool_id, award_name, award_price_cents, weight, award_total, floors)
    select id, '8.88 red packet', 888, 1, 100000000, false from pool where pool_name = 'past'`.execute(
    db,
  );
  const { rows } = await sql<{ id: number }>`
    insert into activity (rounds_name, tag, red_code, condition_name, condition_formula, condition_type,
      condition_value_cents, condition_times, turnover, achieve_start_time, achieve_end_time,
      start_time, end_time, start_date, pool_id)
    select '周末红包', 'weekend', 'RED_PACKET', '0', '0', '0', 0, 1, 3, t, t + interval '1 hour',
      t, t + interval '1 hour', t::date, id
    from pool, (select now() - interval '2 hours' as t) x
    where pool_name = 'past'
    returning id`.execute(db);
  const round = rows[0]?.id ?? 0;
  await sql`select ensure_draw_partition(${round}::int)`.execute(db);
  await sql`
    with known as (
      insert into player (player_id, user_name)
      select 'p-' || n, 'player' || n from generate_series(1, ${players}::int) n
      returning player_key
    ), numbered as materialized (
      select player_key, row_number() over (order by player_key) - 1 as no from known
    ), drawn as (
      insert into draw_record (id, rounds_id, player_key, draw_no, prize_id, award_name,
        award_price_cents, turnover, rule_version, pool_id, pool_version, ticket, fallback_ticket,
        exhausted, extra_time_id, created_at)
      select ((extract(epoch from at) * 1000)::bigint - 1577836800000) * 16384 + n % 16384, a.id,
        p.player_key, 1 + n / ${players}::int, z.id, z.award_name, 888, 3, 1, a.pool_id,
        1, 0, null, '{}', null, at
      from activity a join prize z on z.pool_id = a.pool_id
        cross join generate_series(0, ${records - 1}::int) n
        join numbered p on p.no = n % ${players}::int,
        lateral (select a.start_time + n * 3600.0 / ${records}::int * interval '1 second' as at) t
      where a.id = ${round}::int
      -- As draws write them: rows of one time lie together.
      order by n
      returning id, rounds_id, player_key, created_at
    )
    insert into payout (log_id, rounds_id, player_key, created_at, trans_sn, amount_cents, turnover,
      red_code, state, fail_reason, paid_at, wallet_ref, attempts)
    select id, rounds_id, player_key, created_at, gen_random_uuid(), 888, 3, 'RED_PACKET',
      case when id % 10 < 3 then 'refused' else 'paid' end,
      case when id % 10 < 3 then 'account frozen, "closed"' end,
      case when id % 10 >= 3 then created_at + interval '1 second' end,
      case when id % 10 >= 3 then 'w-' || id end, 1
    from drawn`.execute(db);
  await sql`vacuum analyze`.execute(db);
  while ((await inTransaction(db, (tx) => sealRecords(tx, 0))) !== null) {
    // Until all are sealed.
  }
  return round;
}
