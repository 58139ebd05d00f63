import { AWARD_STATUS, STATUS_OF_STATE } from "@red/contract/platform/codes";
import type { PayoutState } from "@red/contract/platform/codes";
import { sql } from "kysely";
import type { Selectable } from "kysely";
import { stateList } from "#platform/db/sql-parts";
import type { Db } from "#platform/db/connection";
import type { Database } from "#platform/db/schema";

export interface PlayerPayouts {
  readonly state: PayoutState;
  /** The reason of a refused or closed payout. Null for other states, and if no reason was given. */
  readonly reason: string | null;
  readonly count: number;
  readonly sum_cents: bigint;
  /** The time when the oldest payout became unknown, or else was drawn. Null if the payouts are settled. */
  readonly since: Date | null;
}

export async function selectPlayerPayouts(db: Db, player_key: number): Promise<PlayerPayouts[]> {
  const { rows } = await sql<PlayerPayouts>`
    select p.state, x.reason, count(*) as count, sum(p.amount_cents) as sum_cents,
      min(coalesce(p.unknown_since, p.created_at)) filter (
        where p.state in (${stateList(({ isOwed }) => isOwed)})) as since
    from draw_record r
    join payout p on p.log_id = r.id
    cross join lateral (
      select case when p.state in (${stateList((_, state) => STATUS_OF_STATE[state] === AWARD_STATUS.failed)}) then coalesce(p.note, p.fail_reason) end
        as reason
    ) x
    where r.player_key = ${player_key}::bigint
    group by p.state, x.reason
    order by max(p.log_id) desc`.execute(db);
  return rows;
}

export type PlayerDraw = { readonly log_id: number } & Readonly<
  Pick<
    Selectable<Database["draw_record"]>,
    "draw_no" | "created_at" | "award_name" | "award_price_cents" | "extra_time_id"
  >
>;

export async function selectPlayerDraws(
  db: Db,
  rounds_id: number,
  player_key: number,
  limit: number,
): Promise<PlayerDraw[]> {
  return await db
    .selectFrom("draw_record")
    .select(["id as log_id", "draw_no", "created_at", "award_name", "award_price_cents"])
    .select("extra_time_id")
    .where("player_key", "=", player_key)
    .where("rounds_id", "=", rounds_id)
    .orderBy("draw_no", "desc")
    .limit(limit)
    .execute();
}

export interface PlayerExtra {
  readonly id: number;
  readonly tag: string;
  readonly expire_time: Date;
  readonly is_expired: boolean;
  readonly rounds_id: number | null;
  readonly rounds_name: string | null;
  readonly taken_back: { readonly at: string; readonly by: string; readonly reason: string } | null;
}

/**
 * Returns at most `limit` extra times of a player in all groups, newest first, and the number of
 * all. Includes extra times that were taken back.
 */
export async function selectPlayerExtras(db: Db, player_key: number, limit: number) {
  const { rows } = await sql<PlayerExtra & { total: number }>`
    select e.id, e.tag, e.expire_time,
      e.expire_time <= statement_timestamp() - interval '1 second' as is_expired,
      e.used_rounds_id as rounds_id, a.rounds_name, e.taken_back, count(*) over () as total
    from (
      select id, tag, expire_time, used_rounds_id, null::json as taken_back from extra_time
      where player_key = ${player_key}::bigint
      union all
      select id, tag, expire_time, null, json_build_object('at', taken_back_at, 'by', taken_back_by,
        'reason', reason) from extra_time_taken_back
      where player_key = ${player_key}::bigint
    ) e
    left join activity a on a.id = e.used_rounds_id
    order by e.id desc limit ${limit}`.execute(db);
  return {
    rows: rows.map(({ total: _total, ...row }) => row),
    total: rows[0]?.total ?? 0,
  };
}
