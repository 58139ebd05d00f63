import type { PayoutState } from "@red/contract/platform/codes";
import type { playerPageRoutes } from "@red/contract/draws/player-page";
import type { Received } from "@red/contract/platform/route";
import { sql } from "kysely";
import { anyId } from "#platform/db/sql-parts";
import type { Db } from "#platform/db/connection";
import type { VersionPrize } from "#platform/db/schema";
import type { DrawRow } from "./draw-sql.ts";

export interface PagePrizeRow extends VersionPrize {
  readonly left: number;
}

/** Returns the prizes in the pool of the round in id order, or null if the round does not exist or is deleted. */
export async function selectPagePrizes(db: Db, rounds_id: number): Promise<PagePrizeRow[] | null> {
  const { rows } = await sql<PagePrizeRow | { readonly id: null }>`
    select z.id, z.award_name, z.award_price_cents, z.weight, z.floors, z.award_total,
      z.award_total - z.drawn as left
    from activity a
    left join prize z on z.pool_id = a.pool_id and z.deleted_at is null
    where a.id = ${anyId(rounds_id)} and a.deleted_at is null
    order by z.id`.execute(db);
  // A round with an empty pool returns one row without a prize.
  return rows.length === 0 ? null : rows.filter((row) => row.id !== null);
}

export interface PageDrawRow extends DrawRow {
  readonly request_id: string | null;
  readonly rounds_name: string;
  readonly payout_state: PayoutState;
}

/** Returns at most `limit` draws of a player, newest first, with the request_ids of the calling `key`. */
export async function selectPageDraws(
  db: Db,
  player_key: number,
  key: string,
  { limit, before, rounds_id }: Received<typeof playerPageRoutes.draws>["query"],
): Promise<PageDrawRow[]> {
  // Materialized, so that only the records of the player are read and sorted, never all records from the newest on.
  const { rows } = await sql<PageDrawRow>`
    with own as materialized (
      select id, rounds_id, award_name, award_price_cents, created_at from draw_record
      where player_key = ${player_key}::bigint
        and (${rounds_id ?? null}::bigint is null or rounds_id = ${rounds_id ?? null}::bigint)
        and (${before ?? null}::bigint is null or id < ${before ?? null}::bigint)
    ), page as materialized (select * from own order by id desc limit ${limit})
    select r.id as log_id, q.request_id, p.trans_sn, r.rounds_id, a.rounds_name, r.award_name,
      r.award_price_cents, r.created_at, p.state as payout_state
    from page r
    join activity a on a.id = r.rounds_id
    join payout p on p.log_id = r.id
    left join draw_request q on q.log_id = r.id and q.key = ${key}
    order by r.id desc`.execute(db);
  return rows;
}
