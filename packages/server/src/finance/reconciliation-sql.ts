/**
 * Reconciliation with the wallet's statement (behaviour §6): the last read entries, and the differences.
 * SQL compares whole sets, so the size of a statement does not matter.
 */
import { formatDateTime } from "@red/contract/platform/datetime";
import { formatCents } from "@red/contract/platform/money";
import type {
  BreakEnd,
  BreakKind,
  breakFilter,
  Reconciliation,
  ReconciliationBreak,
} from "@red/contract/finance/reconciliation";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type * as z from "zod/mini";
import { allOf, countOf } from "#platform/db/sql-parts";
import type { Db, Tx } from "#platform/db/connection";
import { sqlRef } from "#platform/player-names";
import { firstIdOf } from "#platform/db/time-ids";

/** Allowed difference between the two clocks, as for the time of a signature. */
const CLOCK_SKEW = sql`interval '300 s'`;

/** SQL: the first entry of payout `p` was deleted by age, and `e` is a later payment. */
const IS_AFTER_CUT = sql`exists (select from round_cut k
  where k.rounds_id = p.rounds_id and k.what = 'entries' and e.paid_at >= k.before_at)`;

/** SQL: the reference to a known player, in the form that entries and breaks store (behaviour §3). */
const REF = sqlRef(sql`y.player_key`, "i");

/**
 * SQL: the player of entry `e` if the text is no known id, found by account, former account, or the id in other upper
 * or lower case. This reference differs from the reference by id, so the entry still counts as a wrong player.
 */
const NAMED = sql`
  select ref from (
    select ${sqlRef(sql`o.player_key`, "I")} as ref, o.player_key, 0 as rank
    from player o where o.player_key = p.player_key and lower(o.player_id) = lower(e.player_id)
    union all
    select ${sqlRef(sql`o.player_key || '.' || o.name_no`)}, o.player_key, 1
    from player o where o.user_name_key = lower(e.player_id)
    union all
    select ${sqlRef(sql`f.player_key || '.' || f.no`)}, f.player_key, 2
    from former_name f where f.user_name_key = lower(e.player_id)
    union all
    select ${sqlRef(sql`o.player_key`, "I")}, o.player_key, 3
    from in_capitals o where o.id_key = lower(e.player_id)
  ) n where y.player_key is null
  order by n.player_key is distinct from p.player_key, rank limit 1`;

/**
 * SQL: players whose id appears in the statement in other upper or lower case. All players are read only if
 * the statement has an unknown text.
 */
const IN_CAPITALS = sql`
  select o.player_key, lower(o.player_id) as id_key from player o where lower(o.player_id) in (
    select lower(e.player_id) from statement_entry e where left(e.player_id, 1) <> ${sql.lit("\uE000")}
      and not exists (select from player y where y.player_id = e.player_id)
      and not exists (select from player y where y.user_name_key = lower(e.player_id)))`;

/** SQL: entry `e` and its payout `p` agree. */
const IS_ALIKE = sql`e.occurrence = 1 and not ${IS_AFTER_CUT} and p.state = 'paid' and p.amount_cents = e.amount_cents
  and e.player_id = ${REF}`;

export interface StatementEntry {
  readonly trans_sn: string;
  readonly amount_cents: number;
  readonly player_id: string;
  readonly paid_at: Date;
  readonly wallet_ref: string | null;
}

/** A period for entries with `from_at` ≤ paid_at < `to_at`. */
export interface ReconciliationSpan {
  readonly from_at: Date;
  readonly to_at: Date;
}

/** SQL: entry `e` is in the period. After the pages of a statement are stored, these entries are the statement. */
function isInSpan({ from_at, to_at }: ReconciliationSpan): RawBuilder<boolean> {
  return sql`(e.paid_at >= ${from_at} and e.paid_at < ${to_at})`;
}

const ENTRIES = sql`
  from wallet_entry e
  left join payout p on p.trans_sn = e.trans_sn
  left join player y on y.player_key = p.player_key`;

/** SQL: the payout number of `alias` is in this statement, or was in an earlier statement of the same period. */
function isTold(alias: "e" | "b"): RawBuilder<boolean> {
  return sql`${sql.ref(alias)}.trans_sn in (select trans_sn from told_number)`;
}

/** Calls to the wallet time out much earlier. So if a database session is idle for ten minutes, its process is dead. */
const PREPARE = sql.raw(`
  set idle_session_timeout = '10min';
  create temp table statement_entry (place bigint generated always as identity, trans_sn text,
    amount_cents bigint, player_id text, paid_at timestamptz, wallet_ref text)`);
const RELEASE_LOCK = sql.raw(`
  select pg_advisory_unlock_all(); discard temp; reset idle_session_timeout`);

/**
 * Runs `work` on a connection that holds the lock of reconciliations; `since` is the time of the lock. Returns null if
 * another reconciliation holds the lock. A lost connection loses the lock and the stored pages.
 */
export async function withReconciliationLock<T>(
  db: Db,
  work: (held: Db, since: Date) => Promise<T>,
): Promise<T | null> {
  return await db.connection().execute(async (held) => {
    const { rows } = await sql<{ since: Date | null }>`
      select case when pg_try_advisory_lock(hashtextextended('reconciliation', 0))
        then clock_timestamp() end as since`.execute(held);
    const since = rows[0]?.since ?? null;
    if (since === null) {
      return null;
    }
    try {
      await PREPARE.execute(held);
      return await work(held, since);
    } finally {
      // A connection that still holds the lock must not return to the pool.
      await RELEASE_LOCK.execute(held).catch(async () => {
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(held).catch(() => {});
      });
    }
  });
}

/** Stores a page until the statement is complete. Only this database session sees the page. */
export async function keepPage(held: Db, entries: readonly StatementEntry[]): Promise<void> {
  await sql`
    insert into statement_entry (trans_sn, amount_cents, player_id, paid_at, wallet_ref)
    select * from json_to_recordset(${JSON.stringify(entries)}::json) as x (trans_sn text,
      amount_cents bigint, player_id text, paid_at timestamptz, wallet_ref text)`.execute(held);
}

/**
 * Replaces the known entries of the period with the stored pages. Entries of other statements stay. All
 * entries of a payout number are counted again in order of payment, so the order of reading statements does
 * not matter. The time is proportional to the size of the statement.
 */
export async function replaceEntries(tx: Tx, span: ReconciliationSpan): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx);
  // A statement must not restore the id of an erased player.
  await sql`
    update statement_entry e set player_id = y.player_id, wallet_ref = null
    from payout p join player y on y.player_key = p.player_key
    where p.trans_sn = e.trans_sn and y.erased_at is not null`.execute(tx);
  await sql`
    create temp table told_number on commit drop as
    select trans_sn from statement_entry
    union select trans_sn from wallet_entry e where ${isInSpan(span)}`.execute(tx);
  await sql`
    insert into statement_entry (trans_sn, amount_cents, player_id, paid_at, wallet_ref)
    select trans_sn, amount_cents, player_id, paid_at, wallet_ref from wallet_entry e
    where ${isTold("e")} and not ${isInSpan(span)} order by trans_sn, occurrence`.execute(tx);
  await sql`delete from wallet_entry e where ${isTold("e")}`.execute(tx);
  await sql`
    with in_capitals as materialized (${IN_CAPITALS})
    insert into wallet_entry (trans_sn, occurrence, amount_cents, player_id, paid_at, wallet_ref)
    select e.trans_sn, row_number() over (partition by e.trans_sn order by e.paid_at, place),
      e.amount_cents, coalesce(${REF}, named.ref, e.player_id), e.paid_at, e.wallet_ref
    from statement_entry e left join player y on y.player_id = e.player_id
    left join payout p on p.trans_sn = e.trans_sn left join lateral (${NAMED}) named on true`.execute(
    tx,
  );
}

/** Stores the period and how many entries agree on both sides. Returns the id. */
export async function insertReconciliation(
  tx: Tx,
  span: ReconciliationSpan,
  made: { readonly by: string; readonly at: Date; readonly file_name: string | null },
): Promise<number> {
  const source = made.file_name === null ? "call" : "file";
  const { rows } = await sql<{ id: number }>`
    insert into reconciliation (from_at, to_at, source, file_name, made_by, made_at,
      statement_count, statement_cents, matched)
    select ${span.from_at}::timestamptz, ${span.to_at}::timestamptz, ${source}, ${made.file_name},
      ${made.by}, ${made.at}::timestamptz, count(*), coalesce(sum(e.amount_cents), 0),
      count(*) filter (where ${IS_ALIKE})
    ${ENTRIES} where ${isInSpan(span)}
    returning id`.execute(tx);
  return rows[0]?.id ?? 0;
}

const OURS = sql`p.log_id, p.rounds_id, p.state as our_state, p.amount_cents as our_amount_cents,
  ${REF} as our_player_id`;
const THEIRS = sql`e.amount_cents as their_amount_cents, e.player_id as their_player_id,
  e.paid_at as their_paid_at`;

/** SQL: entries of this statement's payout numbers that differ from our payouts. */
const DIFFERING = sql`
    select case
        when p.log_id is null or e.occurrence > 1 or ${IS_AFTER_CUT} then 'extra'
        when p.amount_cents <> e.amount_cents then 'wrong_amount'
        when e.player_id <> ${REF} then 'wrong_player'
        else 'stale_status'
      end as kind,
      e.trans_sn, e.occurrence, ${OURS}, ${THEIRS}
    ${ENTRIES} where ${isTold("e")} and (${IS_ALIKE}) is not true`;

/**
 * SQL: paid payouts that no statement lists. The wallet paid between our first call and the time when we
 * learned of the payment, so a payout is missing only if statements cover all of that time. A statement
 * does not cover payments after it was fetched.
 */
function missing({ from_at, to_at }: ReconciliationSpan): RawBuilder<unknown> {
  return sql`
    select 'missing' as kind, p.trans_sn, 1 as occurrence, ${OURS},
      null::bigint as their_amount_cents, null::text as their_player_id,
      null::timestamptz as their_paid_at
    from payout p
    join player y on y.player_key = p.player_key
    cross join lateral (
      select tstzrange(coalesce(min(a.started_at), p.created_at) - ${CLOCK_SKEW},
        p.paid_at + ${CLOCK_SKEW}) as span
      from payout_attempt a where a.log_id = p.log_id and a.kind = 'pay'
    ) sent
    where p.state = 'paid' and p.paid_at >= ${from_at}::timestamptz - ${CLOCK_SKEW}
      and p.log_id < ${firstIdOf(to_at.getTime())}
      and not exists (select from wallet_entry e where e.trans_sn = p.trans_sn)
      and not exists (select from round_cut k where k.rounds_id = p.rounds_id and k.what = 'entries')
      and (
        select range_agg(tstzrange(r.from_at, case when r.made_at >= p.paid_at then r.to_at
          else greatest(r.from_at, least(r.to_at, r.made_at - ${CLOCK_SKEW})) end))
        from reconciliation r
      ) @> sent.span`;
}

/**
 * Writes the differences after `replaceEntries`, in the same transaction. A break that is already open or accepted is
 * not written again, and an open break that no longer exists is resolved. Returns the number of differences.
 */
export async function insertBreaks(
  tx: Tx,
  id: number,
  span: ReconciliationSpan,
  made_by: string,
): Promise<number> {
  // Locks in id order, as `lockBreaks` does.
  await sql`
    select from reconciliation_break where end_kind is null order by id for update`.execute(tx);
  await sql`
    create temp table found_break on commit drop as
    ${DIFFERING} union all ${missing(span)}`.execute(tx);
  await sql`
    update reconciliation_break b
    set end_kind = 'resolved', ended_by = ${made_by}, ended_at = clock_timestamp(),
      reason = 'reconciliation ' || ${id}::int
    where b.end_kind is null
      and not exists (
        select from found_break f
        where f.kind = b.kind and f.trans_sn = b.trans_sn and f.occurrence = b.occurrence
      )
      and (
        ${isTold("b")}
        or coalesce(b.their_paid_at, (select p.paid_at from payout p where p.log_id = b.log_id))
          between ${span.from_at} and ${span.to_at}
      )`.execute(tx);
  await sql`
    insert into reconciliation_break (reconciliation_id, kind, trans_sn, occurrence, log_id,
      rounds_id, our_state, our_amount_cents, our_player_id, their_amount_cents, their_player_id,
      their_paid_at)
    select ${id}, f.* from found_break f
    on conflict (kind, trans_sn, occurrence) where end_kind is null or end_kind = 'accepted'
    do update set reconciliation_id = excluded.reconciliation_id,
      our_state = excluded.our_state, our_amount_cents = excluded.our_amount_cents,
      our_player_id = excluded.our_player_id, their_amount_cents = excluded.their_amount_cents,
      their_player_id = excluded.their_player_id, their_paid_at = excluded.their_paid_at
    where reconciliation_break.end_kind is null`.execute(tx);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from reconciliation_break
    where reconciliation_id = ${id} and end_kind is null`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** A reconciliation in its API form, except for these fields. */
interface ReconciliationRow extends Omit<
  Reconciliation,
  "from" | "to" | "made_at" | "statement_amount"
> {
  readonly from_at: Date;
  readonly to_at: Date;
  readonly made_at: Date;
  readonly statement_cents: bigint;
}

/** Converts a row to its API form. `to` is the last second of the period. */
export function toReconciliation(row: ReconciliationRow, timeZone: string): Reconciliation {
  const { from_at, to_at, made_at, statement_cents, ...rest } = row;
  return {
    ...rest,
    from: formatDateTime(from_at, timeZone),
    to: formatDateTime(new Date(to_at.getTime() - 1_000), timeZone),
    made_at: formatDateTime(made_at, timeZone),
    statement_amount: formatCents(statement_cents),
  };
}

/** Returns one page of reconciliations, newest first. */
export async function selectReconciliations(
  db: Db,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ rows: ReconciliationRow[]; total: number }> {
  const { rows } = await sql<ReconciliationRow>`
    select r.id, r.from_at, r.to_at, r.source, r.file_name, r.made_by, r.made_at,
      r.statement_count, r.statement_cents::numeric, r.matched,
      (select count(*) from reconciliation_break b where b.reconciliation_id = r.id) as breaks,
      (select count(*) from reconciliation_break b
        where b.reconciliation_id = r.id and b.end_kind is null) as open
    from reconciliation r
    order by r.id desc limit ${size} offset ${(page - 1) * size}`.execute(db);
  return { rows, total: await countOf(db.selectFrom("reconciliation")) };
}

type BreakMatch = Omit<z.output<typeof breakFilter>, "page" | "size">;

/** A break in its API form, except for these fields. */
export interface BreakRow extends Omit<
  ReconciliationBreak,
  "our_amount" | "their_amount" | "their_paid_at" | "end" | "ended_at"
> {
  readonly our_amount_cents: number | null;
  readonly their_amount_cents: number | null;
  readonly their_paid_at: Date | null;
  readonly end_kind: BreakEnd | null;
  readonly ended_at: Date | null;
}

const cents = (amount: number | null) => (amount === null ? null : formatCents(amount));

export function toBreak(row: BreakRow, timeZone: string): ReconciliationBreak {
  const { our_amount_cents, their_amount_cents, their_paid_at, end_kind, ended_at, ...rest } = row;
  return {
    ...rest,
    our_amount: cents(our_amount_cents),
    their_amount: cents(their_amount_cents),
    their_paid_at: their_paid_at && formatDateTime(their_paid_at, timeZone),
    end: end_kind,
    ended_at: ended_at && formatDateTime(ended_at, timeZone),
  };
}

function isMatch(match: BreakMatch): RawBuilder<boolean> {
  const { reconciliation_id, rounds_id, kind, open } = match;
  return allOf(
    reconciliation_id !== undefined && sql`b.reconciliation_id = ${reconciliation_id}::bigint`,
    rounds_id !== undefined && sql`b.rounds_id = ${rounds_id}::bigint`,
    kind !== undefined && sql`b.kind = ${kind}`,
    open !== undefined && sql`(b.end_kind is null) = ${open === 1}::boolean`,
  );
}

const BREAK_COLUMNS = sql`
  b.id, b.reconciliation_id, b.kind, b.trans_sn, b.log_id, b.rounds_id, b.our_state,
  b.our_amount_cents, b.our_player_id, b.their_amount_cents, b.their_player_id, b.their_paid_at,
  b.end_kind, b.ended_by, b.ended_at, b.reason`;

/** Returns one page of breaks: open breaks first, then newest first. */
export async function selectBreaks(
  db: Db,
  match: BreakMatch,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<BreakRow[]> {
  const { rows } = await sql<BreakRow>`
    select ${BREAK_COLUMNS} from reconciliation_break b where ${isMatch(match)}
    order by b.end_kind is not null, b.id desc limit ${size} offset ${(page - 1) * size}`.execute(
    db,
  );
  return rows;
}

export async function selectBreakSums(
  db: Db,
  match: BreakMatch,
): Promise<{ readonly kind: BreakKind; readonly count: number; readonly amount_cents: bigint }[]> {
  const { rows } = await sql<{ kind: BreakKind; count: number; amount_cents: bigint }>`
    select b.kind, count(*) as count,
      sum(coalesce(b.their_amount_cents, b.our_amount_cents, 0)) as amount_cents
    from reconciliation_break b where ${isMatch(match)} group by b.kind order by b.kind`.execute(
    db,
  );
  return rows;
}

/** A locked break. `wallet_ref` is the wallet's reference of the entry, or null. */
export interface LockedBreak extends BreakRow {
  readonly wallet_ref: string | null;
}

/** Locks the existing breaks among `ids`, in id order. */
export async function lockBreaks(tx: Tx, ids: readonly number[]): Promise<LockedBreak[]> {
  const { rows } = await sql<LockedBreak>`
    select ${BREAK_COLUMNS}, (
      select e.wallet_ref from wallet_entry e where e.trans_sn = b.trans_sn and e.occurrence = 1
    ) as wallet_ref
    from reconciliation_break b
    where b.id = any(${ids}::bigint[]) order by b.id for update`.execute(tx);
  return rows;
}

export async function endBreaks(
  tx: Tx,
  ids: readonly number[],
  end: { readonly end_kind: BreakEnd; readonly ended_by: string; readonly reason: string },
): Promise<void> {
  await sql`
    update reconciliation_break
    set end_kind = ${end.end_kind}, ended_by = ${end.ended_by}, reason = ${end.reason},
      ended_at = clock_timestamp()
    where id = any(${ids}::int[])`.execute(tx);
}
