/**
 * Reads and writes of a batch of draws. Lock stop switches (share), activity (share), players, extra times,
 * prizes, each kind by id; draw-commit.sql uses the same order.
 */
import type {
  ConditionFormula,
  ConditionName,
  ConditionType,
  PayoutState,
} from "@red/contract/lookups";
import { sql } from "kysely";
import { anyId } from "#platform/any-id";
import type { Db, Tx } from "#platform/connection";

/** SQLSTATE of draw_commit: the batch's inputs have changed, nothing was written. */
export const BATCH_STALE = "RP001";

export interface DrawPrize {
  readonly id: number;
  readonly award_name: string;
  readonly award_price_cents: number;
  readonly weight: number;
  readonly floors: boolean;
  /** Stock; the batch lowers it while deciding. */
  left: number;
}

export interface DrawRound {
  readonly id: number;
  readonly tag: string;
  readonly version: number;
  readonly condition_name: ConditionName;
  readonly condition_formula: ConditionFormula | "0";
  readonly condition_type: ConditionType | "0";
  readonly condition_value_cents: number;
  readonly condition_times: number;
  readonly achieve_start_time: Date;
  readonly achieve_end_time: Date;
  readonly end_time: Date;
  readonly pool_id: number;
  readonly pool_version: number;
  /** Active and inside its window, by the database's clock. */
  readonly is_open: boolean;
  /** All draws are stopped, or those from its pool. */
  readonly is_stopped: boolean;
  /** In id order. */
  readonly prizes: DrawPrize[];
}

/** A round; null when it does not exist or was deleted. */
export async function selectDrawRound(db: Db, rounds_id: number): Promise<DrawRound | null> {
  const row = await db
    .selectFrom("activity as a")
    .innerJoin("pool as p", "p.id", "a.pool_id")
    .select(["a.id", "a.tag", "a.version", "a.pool_id", "p.version as pool_version", "a.end_time"])
    .select(["a.condition_name", "a.condition_formula", "a.condition_type"])
    .select(["a.condition_value_cents", "a.condition_times"])
    .select(["a.achieve_start_time", "a.achieve_end_time"])
    .select(
      sql<boolean>`a.rounds_status = 1 and clock_timestamp() >= a.start_time
        and clock_timestamp() < a.end_time + interval '1 second'`.as("is_open"),
    )
    .select(
      sql<boolean>`exists (select from stop_switch s
        where s.name = 'draws' or (s.name = 'pool' and s.pool_id = a.pool_id))`.as("is_stopped"),
    )
    .select(
      sql<DrawPrize[]>`(
        select coalesce(json_agg(json_build_object('id', z.id, 'award_name', z.award_name,
          'award_price_cents', z.award_price_cents, 'weight', z.weight, 'floors', z.floors,
          'left', z.award_total - z.drawn) order by z.id), '[]')
        from prize z where z.pool_id = a.pool_id and z.deleted_at is null)`.as("prizes"),
    )
    .where("a.id", "=", anyId(rounds_id))
    .where("a.deleted_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Locks everything that draws of these players in the round depend on. The players are locked against other
 * draws too: another draw of the same player would wait for the stock, and this one for its record.
 */
export async function lockDraw(
  tx: Tx,
  rounds_id: number,
  player_ids: readonly string[],
): Promise<void> {
  await sql`select draws_stopped(null)`.execute(tx);
  const round = await tx
    .selectFrom("activity")
    .select(["pool_id", "tag"])
    .where("id", "=", anyId(rounds_id))
    .forShare()
    .executeTakeFirst();
  const players = await tx
    .selectFrom("player")
    .select("player_key")
    .where("player_id", "=", sql<string>`any(${[...new Set(player_ids)]}::text[])`)
    .orderBy("player_key")
    .forNoKeyUpdate()
    .execute();
  const player_keys = players.map((player) => player.player_key);
  await tx
    .selectFrom("extra_time")
    .select("id")
    .where("player_key", "=", sql<number>`any(${player_keys}::bigint[])`)
    .where("tag", "=", round?.tag ?? "")
    .where("used_log_id", "is", null)
    .orderBy("id")
    .forUpdate()
    .execute();
  await tx
    .selectFrom("prize")
    .select("id")
    .where("pool_id", "=", round?.pool_id ?? 0)
    .orderBy("id")
    .forUpdate()
    .execute();
}

export interface DrawPlayer {
  readonly player_key: number;
  readonly player_id: string;
  readonly blocked: boolean;
  readonly version: number;
}

export async function selectDrawPlayers(
  db: Db,
  player_ids: readonly string[],
): Promise<Map<string, DrawPlayer>> {
  const rows = await db
    .selectFrom("player")
    .select(["player_key", "player_id", "blocked", "version"])
    .where("player_id", "=", sql<string>`any(${[...new Set(player_ids)]}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.player_id, row]));
}

export interface AnsweredDraw {
  readonly key: string;
  readonly request_id: string;
  readonly body_hash: Buffer;
  readonly log_id: number;
  readonly trans_sn: string;
  readonly rounds_id: number;
  readonly award_name: string;
  readonly award_price_cents: number;
  readonly created_at: Date;
  readonly payout_state: PayoutState;
}

/** The records of earlier answers to these requests; `keys` and `request_ids` are parallel. */
export async function selectAnsweredDraws(
  db: Db,
  keys: readonly string[],
  request_ids: readonly string[],
): Promise<AnsweredDraw[]> {
  const { rows } = await sql<AnsweredDraw>`
    select q.key, q.request_id, q.body_hash, q.log_id, p.trans_sn, q.rounds_id, r.award_name,
      r.award_price_cents, r.created_at, p.state as payout_state
    from unnest(${keys}::text[], ${request_ids}::text[]) as asked (key, request_id)
    join draw_request q on q.key = asked.key and q.request_id = asked.request_id
    join draw_record r on r.id = q.log_id and r.rounds_id = q.rounds_id
    join payout p on p.log_id = q.log_id`.execute(db);
  return rows;
}

export interface DecidedDraw {
  readonly key: string;
  readonly request_id: string;
  readonly body_hash: Buffer;
  readonly trans_sn: string;
  readonly player_key: number;
  readonly player_version: number;
  readonly draw_no: number;
  readonly extra_time_id: number | null;
  readonly prize_id: number;
  readonly ticket: number;
  readonly fallback_ticket: number | null;
  readonly exhausted: readonly number[];
}

export interface StockChange {
  readonly prize_id: number;
  readonly taken: number;
  readonly empty_before: boolean;
  readonly empty_after: boolean;
}

export interface CommittedDraw {
  /** Position in the batch, from 1. */
  readonly ord: number;
  readonly log_id: number;
  readonly created_at: Date;
}

/**
 * Writes a batch: records, requests, payouts, used extra times and stock, all or nothing. Throws SQLSTATE
 * `BATCH_STALE`, a unique violation or a deadlock when it must be decided again.
 */
export async function commitDraws(
  db: Db,
  round: DrawRound,
  draws: readonly DecidedDraw[],
  stock: readonly StockChange[],
): Promise<CommittedDraw[]> {
  const column = <K extends keyof DecidedDraw>(name: K) => draws.map((draw) => draw[name]);
  const { rows } = await sql<CommittedDraw>`
    select ord, log_id, created_at from draw_commit(
      ${round.id}::int, ${round.version}::int, ${round.pool_id}::int, ${round.pool_version}::int,
      ${column("key")}::text[], ${column("request_id")}::text[], ${column("body_hash")}::bytea[],
      ${column("trans_sn")}::text[], ${column("player_key")}::bigint[],
      ${column("player_version")}::bigint[], ${column("draw_no")}::int[],
      ${column("extra_time_id")}::bigint[], ${column("prize_id")}::int[],
      ${column("ticket")}::bigint[], ${column("fallback_ticket")}::bigint[],
      ${draws.map((draw) => `{${draw.exhausted.join(",")}}`)}::text[],
      ${stock.map((change) => change.prize_id)}::int[],
      ${stock.map((change) => change.taken)}::int[],
      ${stock.map((change) => change.empty_before)}::boolean[],
      ${stock.map((change) => change.empty_after)}::boolean[])`.execute(db);
  return rows;
}
