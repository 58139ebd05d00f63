/** Reads the sheet of a round (behaviour §6): counts and amounts by prize and payout state. */
import type { PayoutState } from "@red/contract/platform/codes";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { anyId, stateList } from "#platform/db/sql-parts";
import type { Db, Tx } from "#platform/db/connection";
import { streamRows } from "#platform/db/snapshot";

export interface SheetRound {
  readonly rounds_name: string;
  readonly start_time: Date;
  readonly end_time: Date;
  /** True if the last second of the round has passed or the round was deleted. */
  readonly is_over: boolean;
}

/** Returns the round of a sheet, deleted or not, or null if the round never existed. */
export async function selectSheetRound(db: Db, rounds_id: number): Promise<SheetRound | null> {
  const row = await db
    .selectFrom("activity")
    .select(["rounds_name", "start_time", "end_time"])
    .select(
      sql<boolean>`deleted_at is not null or clock_timestamp() >= end_time + interval '1 second'`.as(
        "is_over",
      ),
    )
    .where("id", "=", anyId(rounds_id))
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Returns rounds that ended between `from` and `to`, sorted by end time. Deleted rounds are included if
 * they have records.
 */
export async function selectRoundsEnded(db: Db, from: Date, to: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from activity a
    where end_time >= ${from} and end_time < ${to}
      and (deleted_at is null or exists (select from draw_record r where r.rounds_id = a.id))
    order by end_time, id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Returns the months `yyyy-MM` in which rounds ended, newest first. `is_signed` means that all rounds of
 * the month have a signature.
 */
export async function selectMonthsEnded(
  db: Db,
  timeZone: string,
): Promise<{ month: string; is_signed: boolean }[]> {
  const { rows } = await sql<{ month: string; is_signed: boolean }>`
    select to_char(end_time at time zone ${timeZone}, 'YYYY-MM') as month,
      bool_and(exists (select from sheet_sign_off s where s.rounds_id = a.id)) as is_signed
    from activity a
    where clock_timestamp() >= end_time + interval '1 second'
      and (deleted_at is null or exists (select from draw_record r where r.rounds_id = a.id))
    group by 1 order by 1 desc`.execute(db);
  return rows;
}

export interface SheetCount {
  readonly prize_id: number;
  readonly award_name: string;
  readonly award_price_cents: number;
  /** Null for a record without a payout, which should not exist. */
  readonly state: PayoutState | null;
  readonly count: number;
  readonly cents: bigint;
}

/** Returns counts and amounts of the round's records by prize (with name and price at the draw) and payout state. */
export async function selectSheetCounts(db: Db, rounds_id: number): Promise<SheetCount[]> {
  const { rows } = await sql<SheetCount>`
    select r.prize_id, r.award_name, r.award_price_cents, p.state, count(*) as count,
      sum(r.award_price_cents) as cents
    from draw_record r
    left join payout p on p.log_id = r.id and p.amount_cents = r.award_price_cents
    where r.rounds_id = ${rounds_id}
    group by 1, 2, 3, 4 order by 1, 3, 2, 4`.execute(db);
  return rows;
}

export interface WalletSide {
  readonly covered: boolean;
  readonly count: number;
  readonly cents: bigint;
  readonly open_breaks: number;
  readonly accepted_breaks: number;
  /** The last instant of the round that a statement covers, or null if no statement covers any. */
  readonly until: Date | null;
  /** Payouts paid after `until` that no statement lists. */
  readonly later_count: number;
  readonly later_cents: bigint;
}

/**
 * Returns what statements list for the round, and whether they cover all of its paid payouts. A statement
 * covers nothing after it was fetched or uploaded. A listed payout counts by the statement's paid_at, even
 * if we learned of it later. Entries deleted by age (delete-old-rows.ts) count as they were signed.
 */
export async function selectWalletSide(db: Db, rounds_id: number): Promise<WalletSide> {
  const { rows } = await sql<WalletSide>`
    with cut as (
      select listed_count, listed_cents from round_cut
      where rounds_id = ${rounds_id} and what = 'entries'
    ), listed as (
      select coalesce((select listed_count from cut), count(*)) as count,
        coalesce((select listed_cents from cut), sum(e.amount_cents), 0) as cents
      from payout p join wallet_entry e on e.trans_sn = p.trans_sn
      where p.rounds_id = ${rounds_id}
        and p.log_id in (select id from draw_record where rounds_id = ${rounds_id})
    ), paid as (
      select p.created_at, p.paid_at, p.amount_cents, e.paid_at as listed_at
      from draw_record r join payout p on p.log_id = r.id
      left join wallet_entry e on e.trans_sn = p.trans_sn and e.occurrence = 1
      where r.rounds_id = ${rounds_id} and p.state = 'paid'
    ), need as (
      select tstzrange(min(created_at),
        max(greatest(created_at, least(paid_at, listed_at))), '[]') as span
      from paid having count(*) > 0
    ), told as (
      select tstzrange(from_at, greatest(from_at, least(to_at, made_at))) as span
      from reconciliation
    ), reach as (
      select max(upper(told.span)) as until from told, need where told.span && need.span
    )
    select listed.count, listed.cents, reach.until,
      exists (select from cut) or coalesce((select (select range_agg(span) from told) @> span
        from need), not exists (select from need)) as covered,
      (select count(*) from paid where not exists (select from cut)
        and listed_at is null and paid_at >= reach.until) as later_count,
      (select coalesce(sum(amount_cents), 0) from paid where not exists (select from cut)
        and listed_at is null and paid_at >= reach.until) as later_cents,
      (select count(*) from reconciliation_break b
        where b.rounds_id = ${rounds_id} and b.end_kind is null) as open_breaks,
      (select count(*) from reconciliation_break b
        where b.rounds_id = ${rounds_id} and b.end_kind = 'accepted') as accepted_breaks
    from listed, reach`.execute(db);
  const [side] = rows;
  if (side === undefined) {
    throw new Error(`the wallet's side of round ${rounds_id} has no row`);
  }
  return side;
}

export interface SheetExceptionRow {
  readonly log_id: number;
  readonly user_name: string;
  readonly award_name: string;
  readonly amount_cents: number;
  readonly trans_sn: string;
  readonly state: PayoutState;
  readonly reason: string | null;
  readonly created_at: Date;
}

function exceptionsOf(rounds_id: number): RawBuilder<SheetExceptionRow> {
  return sql<SheetExceptionRow>`
    select p.log_id, y.user_name, r.award_name, p.amount_cents, p.trans_sn, p.state,
      coalesce(p.note, p.fail_reason, p.check_reason) as reason, p.created_at
    from payout p
    join draw_record r on r.id = p.log_id and r.rounds_id = p.rounds_id
    join player y on y.player_key = p.player_key
    where p.rounds_id = ${rounds_id} and p.state not in (${stateList(({ isDone }) => isDone)})
    order by p.log_id`;
}

/** Returns the oldest exceptions and the total number. */
export async function selectSheetExceptions(
  db: Db,
  rounds_id: number,
  limit: number,
): Promise<{ rows: SheetExceptionRow[]; total: number }> {
  const { rows } = await sql<SheetExceptionRow & { readonly total: number }>`
    select e.*, count(*) over () as total from (${exceptionsOf(rounds_id)}) e
    order by e.log_id limit ${limit}`.execute(db);
  return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 };
}

/** Streams all exceptions in pages. Only one stream at a time may run per snapshot. */
export function streamSheetExceptions(
  snapshot: Db,
  rounds_id: number,
): AsyncGenerator<SheetExceptionRow[]> {
  // Each row becomes three objects. With larger pages, these objects would live longer than the young
  // generation of the heap.
  return streamRows(snapshot, exceptionsOf(rounds_id), 1_000);
}

export async function selectSignOffs(db: Db, rounds_id: number) {
  return await db
    .selectFrom("sheet_sign_off")
    .select(["no", "signed_by", "signed_at", "hash", "note", "is_alone"])
    .where("rounds_id", "=", rounds_id)
    .orderBy("no", "desc")
    .execute();
}

/** Stores a signature with the signed figures. The caller must have locked the round. */
export async function insertSignOff(
  tx: Tx,
  rounds_id: number,
  sign: {
    readonly signed_by: string;
    readonly hash: string;
    readonly figures: object;
    readonly note: string | null;
    readonly is_alone?: boolean;
  },
): Promise<void> {
  await sql`
    insert into sheet_sign_off (rounds_id, no, signed_by, hash, figures, note, is_alone)
    select ${rounds_id}, coalesce(max(no), 0) + 1, ${sign.signed_by}, ${sign.hash},
      ${JSON.stringify(sign.figures)}::jsonb, ${sign.note}, ${sign.is_alone ?? false}
    from sheet_sign_off where rounds_id = ${rounds_id}`.execute(tx);
}
