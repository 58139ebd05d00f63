/** What the guard of live money changes reads (behaviour §3). */
import type { PricedPrize } from "@red/engine/odds";
import { sql } from "kysely";
import type { Db } from "#platform/connection";

/** The prizes of a pool as of its current version, or of the one `back` before, with what is left of them now. */
export async function selectPricedPrizes(
  db: Db,
  pool_id: number,
  back: 0 | 1,
): Promise<PricedPrize[]> {
  const { rows } = await sql<PricedPrize>`
    select z.id, x.weight, x.floors, x.award_price_cents, greatest(x.award_total - z.drawn, 0) as left
    from pool p
    join pool_version v on v.pool_id = p.id and v.version = p.version - ${back}::int
    cross join lateral jsonb_to_recordset(v.prizes)
      as x (id integer, weight bigint, floors boolean, award_price_cents bigint, award_total integer)
    join prize z on z.id = x.id
    where p.id = ${pool_id}
    order by z.id`.execute(db);
  return rows;
}

export interface Pace {
  /** Rounds that are active and inside their window. */
  readonly running: number;
  /** Their draws in the last sixty minutes, the one that runs included. */
  readonly draws_hour: number;
}

/** By the rollups of records, so that it costs the same for any number of draws. */
export async function selectPace(db: Db, pool_id: number): Promise<Pace> {
  const { rows } = await sql<Pace>`
    with running as (
      select id::bigint from activity
      where pool_id = ${pool_id} and deleted_at is null and rounds_status = 1
        and clock_timestamp() >= start_time and clock_timestamp() < end_time + interval '1 second'
    )
    select (select count(*) from running)::integer as running, t.n::integer as draws_hour
    from (
      select floor(extract(epoch from clock_timestamp() - timestamptz '2020-01-01Z') / 60)::bigint as at
    ) now
    cross join lateral rollup_total(
      'draw_record', now.at - 59, now.at + 1, '{1}', array(select id from running)
    ) t`.execute(db);
  return rows[0] ?? { running: 0, draws_hour: 0 };
}
