/**
 * Reads and writes of a batch of draws. Lock in this order: stop switches (share), the round
 * (share), players, extra times, prizes, each kind by id. draw-commit.sql uses the same order.
 */
import type { PayoutState } from "@red/contract/platform/codes";
import { sql } from "kysely";
import { oneRow } from "#platform/db/one-row";
import { anyId, plainArray, textArray } from "#platform/db/sql-parts";
import type { Db, Tx } from "#platform/db/connection";
import type { VersionPrize } from "#platform/db/schema";
import type { ChanceInputs } from "#chances/chance-reader";

/** SQLSTATE of draw_commit: the inputs of the batch have changed, and nothing was written. */
export const BATCH_STALE = "RP001";

export interface DrawPrize extends Omit<VersionPrize, "award_total"> {
  /** Remaining stock. The batch lowers it while deciding. */
  left: number;
}

export interface DrawRow {
  readonly log_id: number;
  readonly trans_sn: string;
  readonly rounds_id: number;
  readonly award_name: string;
  readonly award_price_cents: number;
  readonly created_at: Date;
}

interface AnsweredDraw extends Omit<DrawRow, "created_at"> {
  readonly key: string;
  readonly request_id: string;
  /** A hash as hex, like the result of `bodyHash`. */
  readonly body_hash: string;
  readonly created_at: string;
}

/** The inputs of a batch, from one view of the database (draw-inputs.sql). */
export interface DrawInputs extends ChanceInputs {
  readonly answered: readonly AnsweredDraw[] | null;
  readonly pool_version: number;
  /** In id order. */
  readonly prizes: DrawPrize[] | null;
  /** True if all draws are stopped, or the draws from the pool of the round. */
  readonly is_stopped: boolean;
}

/** Reads the inputs of a batch. Looks up the earlier answers to the requests in `asked`. `days` as in `daysAround`. */
export async function selectDrawInputs(
  db: Db,
  rounds_id: number,
  player_ids: readonly string[],
  asked: readonly { readonly key: string; readonly request_id: string }[],
  days: readonly string[],
): Promise<DrawInputs> {
  const { rows } = await sql<DrawInputs>`
    select * from draw_inputs(${rounds_id}::bigint, ${textArray(asked.map(({ key }) => key))}::text[],
      ${textArray(asked.map(({ request_id }) => request_id))}::text[], ${textArray(player_ids)}::text[],
      ${days}::timestamptz[])`.execute(db);
  return oneRow(rows);
}

/** Locks everything that draws of these players in the round depend on. */
export async function lockDraw(
  tx: Tx,
  rounds_id: number,
  player_ids: readonly string[],
): Promise<void> {
  await sql`select draws_stopped(null)`.execute(tx);
  await sql`select hold_round(${rounds_id}::bigint, false)`.execute(tx);
  const round = await tx
    .selectFrom("activity")
    .select(["pool_id", "tag"])
    .where("id", "=", anyId(rounds_id))
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

/** Returns the record of an earlier answer with the state of its payout, or null if the request has no answer. */
export async function selectAnsweredDraw(db: Db, key: string, request_id: string) {
  const { rows } = await sql<DrawRow & { readonly payout_state: PayoutState }>`
    select q.log_id, p.trans_sn, q.rounds_id, r.award_name, r.award_price_cents, r.created_at,
      p.state as payout_state
    from draw_request q
    join draw_record r on r.id = q.log_id and r.rounds_id = q.rounds_id
    join payout p on p.log_id = q.log_id
    where q.key = ${key} and q.request_id = ${request_id}`.execute(db);
  return rows[0] ?? null;
}

export interface DecidedDraw {
  readonly key: string;
  readonly request_id: string;
  readonly body_hash: string;
  readonly trans_sn: string;
  readonly player_key: number;
  readonly draw_no: number;
  readonly extra_time_id: number | null;
  readonly prize_id: number;
  readonly ticket: number;
  readonly fallback_ticket: number | null;
  readonly exhausted: readonly number[];
}

export interface DecidedBatch {
  readonly rounds_id: number;
  readonly rule_version: number;
  readonly pool_id: number;
  readonly pool_version: number;
  /** The players who draw, in key order. */
  readonly players: readonly {
    readonly player_key: number;
    /** The player's version when the draws were decided. If it has changed, the commit skips the player. */
    readonly draw_version: number;
    readonly first_no: number;
    /**
     * After draws of another process, the commit may give the draws higher numbers, if at most this
     * many earned chances were used before the batch. -1 means never.
     */
    readonly earned_used_max: number;
  }[];
  readonly draws: readonly DecidedDraw[];
  /** All prizes of the pool, in id order. */
  readonly prizes: readonly {
    readonly id: number;
    readonly empty_before: boolean;
    readonly empty_after: boolean;
  }[];
}

/**
 * Commits decided draws with `draw_commit`, in one statement. Throws a database error with state `BATCH_STALE` if
 * anything except players has changed. `log_ids` are in the order of the draws; null means that the player has changed
 * and the draw was skipped. `is_shared` is true if another process draws for the same players.
 */
export async function commitDraws(db: Db, batch: DecidedBatch, days: readonly string[]) {
  const { players, draws, prizes } = batch;
  const { rows } = await sql<{
    readonly log_ids: string;
    readonly created_at: Date;
    readonly is_shared: boolean;
  }>`
    select log_ids, created_at, is_shared from draw_commit(
      ${batch.rounds_id}::int, ${batch.rule_version}::int, ${batch.pool_id}::int,
      ${batch.pool_version}::int,
      ${plainArray(players.map((player) => player.player_key))}::bigint[],
      ${plainArray(players.map((player) => player.draw_version))}::bigint[],
      ${plainArray(players.map((player) => player.first_no))}::int[],
      ${plainArray(players.map((player) => player.earned_used_max))}::bigint[],
      ${textArray(draws.map((draw) => draw.key))}::text[],
      ${textArray(draws.map((draw) => draw.request_id))}::text[],
      ${plainArray(draws.map((draw) => draw.body_hash))}::text[],
      ${plainArray(draws.map((draw) => draw.trans_sn))}::text[],
      ${plainArray(draws.map((draw) => draw.player_key))}::bigint[],
      ${plainArray(draws.map((draw) => draw.draw_no))}::int[],
      ${plainArray(draws.map((draw) => draw.extra_time_id))}::bigint[],
      ${plainArray(draws.map((draw) => draw.prize_id))}::int[],
      ${plainArray(draws.map((draw) => draw.ticket))}::bigint[],
      ${plainArray(draws.map((draw) => draw.fallback_ticket))}::bigint[],
      ${textArray(draws.map((draw) => `{${draw.exhausted.join(",")}}`))}::text[],
      ${plainArray(prizes.map((prize) => prize.id))}::int[],
      ${prizes.map((prize) => prize.empty_before)}::boolean[],
      ${prizes.map((prize) => prize.empty_after)}::boolean[],
      ${days}::timestamptz[])`.execute(db);
  const row = oneRow(rows);
  // Our own function wrote the text, so only its length is checked.
  const log_ids = JSON.parse(row.log_ids) as (number | null)[];
  if (log_ids.length !== draws.length) {
    throw new Error("draw_commit answered for another batch");
  }
  return { ...row, log_ids };
}
