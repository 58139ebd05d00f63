/**
 * Reads records, each a draw with its payout (behaviour §3, §11): as a page, as totals or as a
 * stream. record-filter.ts contains the filter.
 */
import { formatDateTime } from "@red/contract/platform/datetime";
import { AWARD_STATUS, PAYOUT_STATES, STATUS_OF_STATE } from "@red/contract/platform/codes";
import type { AwardStatus, PayoutState } from "@red/contract/platform/codes";
import { formatCents } from "@red/contract/platform/money";
import { record } from "@red/contract/records/record";
import type { DrawRecord } from "@red/contract/records/record";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { stateList } from "#platform/db/sql-parts";
import type { Db } from "#platform/db/connection";
import { inOneView } from "#platform/db/connection";
import { payoutSums } from "#payouts/payout-sums-sql";
import { fromSnapshot, plainText, streamTexts } from "#platform/db/snapshot";
import {
  areOpen,
  hasAllDone,
  hasCountedBet,
  IS_OPEN,
  isInState,
  isMatch,
  kindOf,
  PAYOUTS,
  RECORDS,
  RECORDS_WITH_PAYOUT,
  sourceOf,
} from "./record-filter.ts";
import type { RecordMatch, RecordSource } from "./record-filter.ts";
import { rolledPage, rolledTotal } from "./record-rollup-sql.ts";
import * as z from "zod/mini";

/** A record with its payout, player and round name (also of a deleted round): the API form except for these fields. */
export interface RecordRow extends Omit<
  DrawRecord,
  | "award_price"
  | "type"
  | "award_status"
  | "payout_state"
  | "created_at"
  | "paid_at"
  | "unknown_since"
> {
  readonly award_price_cents: number;
  readonly state: PayoutState;
  readonly created_at: Date;
  readonly paid_at: Date | null;
  readonly unknown_since: Date | null;
}

export type RecordPickRow = Pick<
  RecordRow,
  "log_id" | "user_name" | "award_name" | "award_price_cents" | "state"
>;

export interface RecordSum {
  readonly award_status: AwardStatus;
  readonly count: number;
  readonly amount_cents: bigint;
  /** Number of the matches that are goods waiting for delivery. */
  readonly goods: number;
}

export interface StateSum extends Omit<RecordSum, "award_status" | "goods"> {
  readonly state: PayoutState;
}

export function toRecord(row: RecordRow, timeZone: string): DrawRecord {
  const { award_price_cents, state, created_at, paid_at, unknown_since, ...rest } = row;
  return {
    ...rest,
    award_price: formatCents(award_price_cents),
    type: award_price_cents === 0 ? "physical" : "virtual",
    award_status: STATUS_OF_STATE[state],
    payout_state: state,
    created_at: formatDateTime(created_at, timeZone),
    paid_at: paid_at === null ? null : formatDateTime(paid_at, timeZone),
    unknown_since: unknown_since === null ? null : formatDateTime(unknown_since, timeZone),
  };
}

const COLUMNS = sql`
  r.id as log_id, y.player_id, y.user_name, r.award_name, r.award_price_cents, p.state,
  p.fail_reason, p.check_reason, p.note, r.rounds_id, a.rounds_name, p.trans_sn, r.turnover,
  r.created_at, p.paid_at, p.unknown_since, p.state = 'queued' and p.next_at > statement_timestamp() as held, p.wallet_ref, p.attempts, r.draw_no, r.extra_time_id,
  r.rule_version, r.pool_version,
  r.ticket, r.fallback_ticket, r.exhausted`;

const PLAYER_AND_ROUND = sql`
  join player y on y.player_key = r.player_key
  join activity a on a.id = r.rounds_id`;

/** Whether rollups can give the result. They do not count by account, payout number or platform. */
function isRolledUp({ user_name, log_id, platform }: RecordMatch): boolean {
  return user_name === undefined && log_id === undefined && platform === undefined;
}

function direction({ order }: RecordMatch) {
  return order === "oldest" ? sql`asc` : sql`desc`;
}

function matchingIds(match: RecordMatch, size: number, offset: number): RawBuilder<unknown> {
  if (isRolledUp(match) && hasAllDone(match)) {
    return rolledPage(match, size, offset);
  }
  const source = sourceOf(match);
  return sql`
    select ${source.id} as id, ${source.rounds_id} as rounds_id
    from ${source.from}
    where ${isMatch(match, source)} and ${isInState(match.states)}
    order by ${source.id} ${direction(match)}
    limit ${size} offset ${offset}`;
}

/** Runs a query. A query by platform may read the bets of every player, so it has no time limit. */
async function run<T>(db: Db, match: RecordMatch, query: RawBuilder<T>): Promise<T[]> {
  if (match.platform === undefined) {
    return (await query.execute(db)).rows;
  }
  return await inOneView(db, async (view) => {
    await sql`set local statement_timeout = 0`.execute(view);
    return (await query.execute(view)).rows;
  });
}

/**
 * Returns one page of records in the order of the filter. `user_name` ignores case, `award_name` matches part of the
 * name in any case, times are draw times, and the other filters must be equal (behaviour §11).
 */
export async function selectRecords(
  db: Db,
  match: RecordMatch,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<RecordRow[]> {
  const rows = sql<RecordRow>`
    select ${COLUMNS}
    from (${matchingIds(match, size, (page - 1) * size)}) page
    join draw_record r on r.id = page.id and r.rounds_id = page.rounds_id
    join payout p on p.log_id = page.id
    ${PLAYER_AND_ROUND}
    order by r.id ${direction(match)}`;
  return await run(db, match, rows);
}

/** Returns the newest `size` matches, newest first, with the columns that a batch needs. */
export async function selectRecordPicks(
  db: Db,
  match: RecordMatch,
  size: number,
): Promise<RecordPickRow[]> {
  const rows = sql<RecordPickRow>`
    select page.id as log_id, y.user_name, r.award_name, p.amount_cents as award_price_cents, p.state
    from (${matchingIds(match, size, 0)}) page
    join draw_record r on r.id = page.id and r.rounds_id = page.rounds_id
    join payout p on p.log_id = page.id
    join player y on y.player_key = p.player_key
    order by page.id desc`;
  return await run(db, match, rows);
}

/** The schema that masks a record in the form that the database writes. */
export const exportedRecord = z.extend(record, {
  cents: record.shape.award_price,
  state: record.shape.payout_state,
  goods: z.boolean(),
});

const EXPORTED = {
  log_id: sql`r.id`,
  rounds_id: sql`r.rounds_id`,
  rounds_name: plainText(sql`a.rounds_name`),
  player_id: plainText(sql`y.player_id`),
  user_name: plainText(sql`y.user_name`),
  award_name: plainText(sql`r.award_name`),
  cents: sql`r.award_price_cents`,
  goods: sql`r.award_price_cents = 0`,
  created_at: sql`r.created_at`,
  turnover: sql`r.turnover`,
  state: sql`p.state`,
  fail_reason: plainText(sql`p.fail_reason`),
  check_reason: sql`p.check_reason`,
  note: plainText(sql`p.note`),
  paid_at: sql`p.paid_at`,
  trans_sn: plainText(sql`p.trans_sn`),
  wallet_ref: plainText(sql`p.wallet_ref`),
  attempts: sql`p.attempts`,
} satisfies Partial<Record<keyof typeof exportedRecord.shape, unknown>>;

/** A record in the form that the database writes: empty text for null, and times in UTC. */
export type RecordTexts = Readonly<Record<keyof typeof EXPORTED, string>>;

/** Streams all matches in the order of the filter, in pages. Leaving the loop releases the connection. */
export function streamRecords(db: Db, match: RecordMatch): AsyncGenerator<RecordTexts[]> {
  const from = sql`
    from ${RECORDS_WITH_PAYOUT.from} ${PLAYER_AND_ROUND}
    where ${isMatch(match, RECORDS_WITH_PAYOUT)} and ${isInState(match.states)}
    order by r.id ${direction(match)}`;
  return fromSnapshot(db, (snapshot) => streamTexts(snapshot, EXPORTED, from));
}

/** Groups by state first, because comparing the state of each row with lists took half of the time. */
function sumsOf(source: RecordSource, where: RawBuilder<unknown>): RawBuilder<StateSum> {
  return sql<StateSum>`
    select p.state, count(*)::bigint as count, sum(${source.cents}) as amount_cents
    from ${source.from} where ${where} group by 1`;
}

/** Looks up the bets of a player once per round, not once per record. */
function totalByBets({ platform, span, ...rest }: RecordMatch): RawBuilder<unknown> {
  const match = { ...rest, span, platform: undefined };
  return sql`
    select coalesce(sum(r.count), 0)::bigint as count, coalesce(sum(r.cents), 0) as amount_cents
    from (
      select r.rounds_id, r.player_key, count(*) as count, sum(r.award_price_cents) as cents
      from draw_record r where ${isMatch(match, RECORDS)} group by 1, 2
    ) r
    where ${platform === undefined ? sql`true` : hasCountedBet(platform, span, RECORDS)}`;
}

const totalOf = (match: RecordMatch) =>
  isRolledUp(match) ? rolledTotal(match) : totalByBets(match);

/**
 * Computes the paid totals as all matches minus the open ones, so that the payouts of ten million
 * paid records are not read.
 */
function sumsByDifference(match: RecordMatch): RawBuilder<StateSum> {
  const kind = kindOf(match);
  const isBoth = kind === undefined;
  const minus = (isOpen: RawBuilder<unknown>, less: RawBuilder<unknown>) => sql`
    x.count - ${less}.count - (select coalesce(sum(count), 0) from open p where ${isOpen}) as count,
    x.amount_cents - ${less}.amount_cents
      - (select coalesce(sum(amount_cents), 0) from open p where ${isOpen}) as amount_cents`;
  const isGoods = sql`p.state in (${stateList(({ isPhysical }) => isPhysical)})`;
  const nothing = sql`select 0::bigint as count, 0::numeric as amount_cents`;
  return sql<StateSum>`
    with open as materialized (${sumsOf(PAYOUTS, sql`${isMatch(match, PAYOUTS)} and ${IS_OPEN}`)}),
    nothing as (${nothing}),
    goods as materialized (${isBoth ? totalOf({ ...match, physical: true }) : nothing})
    select ${kind === true ? "delivered" : "paid"}::text as state,
      ${minus(isBoth ? sql`not ${isGoods}` : sql`true`, sql`goods`)}
    from (${totalOf(match)}) x, goods
    union all
    select 'delivered', ${minus(isGoods, sql`nothing`)} from goods x, nothing where ${isBoth}
    union all
    select state, count, amount_cents from open`;
}

/** Returns the same filter for payout rollups, without the states, or null if these rollups cannot give the result. */
function payoutMatch(match: RecordMatch) {
  const { rounds_ids, award_name, award_price, drawn, physical, start, end } = match;
  const [rounds_id = null, ...others] = rounds_ids ?? [];
  const isWhole = (award_name ?? award_price ?? drawn ?? physical ?? start ?? end ?? null) === null;
  const isKnown = rounds_ids === null || (rounds_id !== null && others.length === 0);
  return isWhole && isKnown && isRolledUp(match) ? { rounds_id } : null;
}

function stateSums(match: RecordMatch): RawBuilder<StateSum> {
  const { states, user_name, log_id } = match;
  const where = (source: RecordSource) => sql`${isMatch(match, source)} and ${isInState(states)}`;
  if (user_name !== undefined || log_id !== undefined) {
    return sumsOf(RECORDS_WITH_PAYOUT, where(RECORDS_WITH_PAYOUT));
  }
  const whole = payoutMatch(match);
  if (whole !== null) {
    return payoutSums(whole);
  }
  return areOpen(states) ? sumsOf(PAYOUTS, where(PAYOUTS)) : sumsByDifference(match);
}

/** Returns the exact count and total amount of all matches per payout state that occurs, from one snapshot. */
export async function selectStateSums(db: Db, match: RecordMatch): Promise<StateSum[]> {
  const sums = sql<StateSum>`
    select p.state, p.count::bigint as count, p.amount_cents from (${stateSums(match)}) p
    where p.count > 0 and ${isInState(match.states)}`;
  const rows = await run(db, match, sums);
  return PAYOUT_STATES.flatMap((state) => rows.filter((row) => row.state === state));
}

export function sumsByStatus(sums: readonly StateSum[]): RecordSum[] {
  return Object.values(AWARD_STATUS).flatMap((award_status) => {
    const those = sums.filter(({ state }) => STATUS_OF_STATE[state] === award_status);
    const count = countOf(those);
    const goods = countOf(those.filter(({ state }) => state === "waiting_delivery"));
    const amount_cents = those.reduce((total, sum) => total + sum.amount_cents, 0n);
    return count === 0 ? [] : [{ award_status, count, amount_cents, goods }];
  });
}

export function countOf(sums: readonly StateSum[]): number {
  return sums.reduce((total, { count }) => total + count, 0);
}
