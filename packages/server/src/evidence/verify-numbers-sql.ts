/** Numbers that are unique or without gaps (behaviour §3, §5). */
import { sql } from "kysely";
import type { Db } from "#platform/connection";
import { selectFirstOffence } from "#platform/snapshot";
import type { Offence } from "#platform/snapshot";

/** A player's draws in a round are numbered 1 … n. Reports the first whose number is not its place by id. */
export async function selectMisnumberedDraw(snapshot: Db): Promise<Offence | null> {
  return await selectFirstOffence(
    snapshot,
    "draw_record",
    sql`
      with broken as materialized (
        select distinct player_key, rounds_id
        from (
          select player_key, rounds_id, draw_no,
            row_number() over (partition by player_key, rounds_id order by draw_no) as place
          from draw_record
        ) numbered
        where draw_no <> place
      )
      select id as place,
        jsonb_build_object('id', id, 'rounds_id', rounds_id, 'player_key', player_key) as ids,
        jsonb_build_object('draw_no', by_id) as expected,
        jsonb_build_object('draw_no', draw_no) as found
      from (
        select id, rounds_id, player_key, draw_no,
          row_number() over (partition by player_key, rounds_id order by id) as by_id
        from draw_record join broken using (player_key, rounds_id)
      ) placed
      where draw_no <> by_id`,
  );
}

export async function selectDoubleLogId(snapshot: Db): Promise<Offence | null> {
  return await selectFirstOffence(
    snapshot,
    "draw_record",
    sql`
      select id as place, jsonb_build_object('id', id) as ids,
        jsonb_build_object('records', 1) as expected,
        jsonb_build_object('records', count(*)) as found
      from draw_record group by id having count(*) > 1`,
  );
}

/** A record's id encodes its time to the millisecond: lists and exports rely on that order. */
export async function selectMistimedLogId(snapshot: Db): Promise<Offence | null> {
  return await selectFirstOffence(
    snapshot,
    "draw_record",
    sql`
      select id as place, jsonb_build_object('id', id, 'rounds_id', rounds_id) as ids,
        jsonb_build_object('created_at', coded_at) as expected,
        jsonb_build_object('created_at', created_at) as found
      from (
        select id, rounds_id, created_at,
          timestamptz '2020-01-01 00:00:00+00' + (id / 16384) * interval '1 millisecond' as coded_at
        from draw_record
      ) coded
      where date_trunc('milliseconds', created_at) <> coded_at`,
  );
}

/** A trans_sn, the wallet's idempotency key, belongs to one payout. */
export async function selectDoubleTransSn(snapshot: Db): Promise<Offence | null> {
  return await selectFirstOffence(
    snapshot,
    "payout",
    sql`
      select min(log_id) as place,
        jsonb_build_object('log_id', min(log_id), 'trans_sn', trans_sn) as ids,
        jsonb_build_object('payouts', 1) as expected,
        jsonb_build_object('payouts', count(*)) as found
      from payout group by trans_sn having count(*) > 1`,
  );
}
