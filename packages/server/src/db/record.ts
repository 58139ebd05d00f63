/**
 * Records: one draw and its payout (behaviour §3, §11). Ids code created_at, so that a time range is
 * a range of ids and the newest come last in the index. Every query may name a round, which leaves
 * one partition to look at.
 */
import { formatDateTime, parseDateTime } from "@red/contract/datetime";
import { PAYOUT_STATES, STATUS_OF_STATE } from "@red/contract/lookups";
import type { AwardStatus, PayoutState } from "@red/contract/lookups";
import { formatCents } from "@red/contract/money";
import type { DrawRecord, recordFilter } from "@red/contract/record";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type * as z from "zod/mini";
import type { Db } from "./connection.ts";
import { EVENT_EPOCH_MS } from "./event.ts";

type RecordFilter = z.output<typeof recordFilter>;

/** A record with its payout, its player and the name of its round (of deleted ones too). */
export interface RecordRow {
  readonly log_id: number;
  readonly player_id: string;
  readonly user_name: string;
  readonly award_name: string;
  readonly award_price_cents: number;
  readonly state: PayoutState;
  readonly fail_reason: string | null;
  readonly rounds_id: number;
  readonly rounds_name: string;
  readonly trans_sn: string;
  readonly turnover: number;
  readonly created_at: Date;
  readonly paid_at: Date | null;
  readonly wallet_ref: string | null;
  readonly attempts: number;
  readonly draw_no: number;
  readonly extra_time_id: number | null;
  readonly rule_version: number;
  readonly pool_version: number;
  readonly ticket: number;
  readonly fallback_ticket: number | null;
  readonly exhausted: number[];
}

/** Count and money of the matches in one dispatch status. */
export interface RecordSum {
  readonly award_status: AwardStatus;
  readonly count: number;
  readonly amount_cents: number;
}

/** A row as it is on the wire: times on the clocks of `timeZone`, amounts as decimal text. */
export function toRecord(row: RecordRow, timeZone: string): DrawRecord {
  const { award_price_cents, state, created_at, paid_at, ...rest } = row;
  return {
    ...rest,
    award_price: formatCents(award_price_cents),
    type: award_price_cents === 0 ? "physical" : "virtual",
    award_status: STATUS_OF_STATE[state],
    payout_state: state,
    created_at: formatDateTime(created_at, timeZone),
    paid_at: paid_at === null ? null : formatDateTime(paid_at, timeZone),
  };
}

/* Literals and not parameters: with constants the planner sees that the partial index will do. */
function statesOf(status: AwardStatus) {
  const states = PAYOUT_STATES.filter((state) => STATUS_OF_STATE[state] === status);
  return sql.raw(states.map((state) => `'${state}'`).join(", "));
}

/** The states of payout__open. */
const IS_OPEN = sql`p.state not in ('paid', 'delivered')`;
const STATUS = sql<AwardStatus>`case
  when p.state in (${statesOf(0)}) then 0 when p.state in (${statesOf(1)}) then 1 else 2 end`;

const SLOTS = 2 ** 14;

/** The first id of a millisecond, within what an id can be. */
function firstId(ms: number): number {
  return Math.min(Math.max((ms - EVENT_EPOCH_MS) * SLOTS, 0), Number.MAX_SAFE_INTEGER);
}

/** Where the columns of the filter are read. */
interface Source {
  readonly from: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
  readonly rounds_id: RawBuilder<unknown>;
  readonly player_key: RawBuilder<unknown>;
  readonly cents: RawBuilder<unknown>;
}

const RECORDS: Source = {
  from: sql`draw_record r`,
  id: sql`r.id`,
  rounds_id: sql`r.rounds_id`,
  player_key: sql`r.player_key`,
  cents: sql`r.award_price_cents`,
};

const RECORDS_WITH_PAYOUT: Source = {
  ...RECORDS,
  from: sql`draw_record r join payout p on p.log_id = r.id`,
};

/** Open payouts repeat what the filter reads, except the name of the prize. */
function openPayouts(filter: RecordFilter): Source {
  return {
    from:
      filter.award_name === undefined
        ? sql`payout p`
        : sql`payout p join draw_record r on r.id = p.log_id and r.rounds_id = p.rounds_id`,
    id: sql`p.log_id`,
    rounds_id: sql`p.rounds_id`,
    player_key: sql`p.player_key`,
    cents: sql`p.amount_cents`,
  };
}

/** The filter over a source, without its dispatch status. */
function matches(filter: RecordFilter, source: Source, timeZone: string): RawBuilder<unknown> {
  const start = filter.start_time === undefined ? null : parseDateTime(filter.start_time, timeZone);
  const end = filter.end_time === undefined ? null : parseDateTime(filter.end_time, timeZone);
  const conditions = [
    filter.rounds_id === undefined ? null : sql`${source.rounds_id} = ${filter.rounds_id}`,
    start === null ? null : sql`${source.id} >= ${firstId(start.getTime())}`,
    // An end given to the second includes that second (behaviour §1).
    end === null ? null : sql`${source.id} < ${firstId(end.getTime() + 1_000)}`,
    filter.user_name === undefined
      ? null
      : sql`${source.player_key} = (
          select player_key from player where user_name_key = lower(${filter.user_name}))`,
    filter.award_price === undefined ? null : sql`${source.cents} = ${filter.award_price}`,
    filter.award_name === undefined
      ? null
      : sql`strpos(lower(r.award_name), lower(${filter.award_name})) > 0`,
  ].filter((condition) => condition !== null);
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/**
 * Where to look for the rows of a status. A player has few records, so their payouts are looked up;
 * paid is what nearly every record is; the others are found among the open payouts.
 */
function sourceOf(filter: RecordFilter): Source {
  if (filter.award_status === undefined) {
    return RECORDS;
  }
  return filter.user_name !== undefined || filter.award_status === 1
    ? RECORDS_WITH_PAYOUT
    : openPayouts(filter);
}

function isStatus(status: AwardStatus | undefined): RawBuilder<unknown> {
  if (status === undefined) {
    return sql`true`;
  }
  const isIn = sql`p.state in (${statesOf(status)})`;
  return status === 1 ? isIn : sql`${IS_OPEN} and ${isIn}`;
}

/**
 * One page of records, newest first. `user_name` is equal without regard to case, `award_name` is
 * contained (letters of either case), times are of the draw, the rest is equal (behaviour §11).
 */
export async function selectRecords(
  db: Db,
  filter: RecordFilter,
  timeZone: string,
): Promise<RecordRow[]> {
  const source = sourceOf(filter);
  const { rows } = await sql<RecordRow>`
    select r.id as log_id, y.player_id, y.user_name, r.award_name, r.award_price_cents, p.state,
      p.fail_reason, r.rounds_id, a.rounds_name, p.trans_sn, r.turnover, r.created_at, p.paid_at,
      p.wallet_ref, p.attempts, r.draw_no, r.extra_time_id, r.rule_version, r.pool_version,
      r.ticket, r.fallback_ticket, r.exhausted
    from (
      select ${source.id} as id, ${source.rounds_id} as rounds_id
      from ${source.from}
      where ${matches(filter, source, timeZone)} and ${isStatus(filter.award_status)}
      order by ${source.id} desc
      limit ${filter.size} offset ${(filter.page - 1) * filter.size}
    ) page
    join draw_record r on r.id = page.id and r.rounds_id = page.rounds_id
    join payout p on p.log_id = page.id
    join player y on y.player_key = r.player_key
    join activity a on a.id = r.rounds_id
    order by r.id desc`.execute(db);
  return rows;
}

function sumsOf(source: Source, where: RawBuilder<unknown>): RawBuilder<RecordSum> {
  return sql<RecordSum>`
    select ${STATUS} as award_status, count(*) as count, sum(${source.cents})::bigint as amount_cents
    from ${source.from} where ${where} group by 1`;
}

/** All matches less the open ones: nobody has to visit the payouts of ten million paid records. */
function sumsByDifference(filter: RecordFilter, timeZone: string): RawBuilder<RecordSum> {
  const open = openPayouts(filter);
  const isOpen = sql`${matches(filter, open, timeZone)} and ${IS_OPEN}`;
  return sql<RecordSum>`
    with open as materialized (${sumsOf(open, isOpen)}),
    every as (
      select count(*) as count, coalesce(sum(r.award_price_cents), 0) as amount_cents
      from draw_record r where ${matches(filter, RECORDS, timeZone)}
    )
    select 1 as award_status,
      (every.count - (select coalesce(sum(count), 0) from open))::bigint as count,
      (every.amount_cents - (select coalesce(sum(amount_cents), 0) from open))::bigint
        as amount_cents
    from every
    union all
    select award_status, count, amount_cents from open`;
}

/** Count and money of all matches, per status that occurs; exact, from one snapshot. */
export async function selectRecordSums(
  db: Db,
  filter: RecordFilter,
  timeZone: string,
): Promise<RecordSum[]> {
  const { award_status: status } = filter;
  const where = (source: Source) =>
    sql`${matches(filter, source, timeZone)} and ${isStatus(status)}`;
  const open = openPayouts(filter);
  const query =
    filter.user_name !== undefined
      ? sumsOf(RECORDS_WITH_PAYOUT, where(RECORDS_WITH_PAYOUT))
      : status === 0 || status === 2
        ? sumsOf(open, where(open))
        : sumsByDifference(filter, timeZone);
  const { rows } = await query.execute(db);
  return rows
    .filter((row) => row.count > 0 && (status === undefined || row.award_status === status))
    .toSorted((a, b) => a.award_status - b.award_status);
}
