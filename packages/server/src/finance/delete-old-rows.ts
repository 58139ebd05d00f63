/**
 * Deletes rows that are older than RETAIN_… allows (docs/operations.md): platform requests and payout attempts of
 * rounds that ended long ago, and wallet entries of rounds whose signature is still current. Works in batches and
 * stores its progress, so that `redctl verify` and reconciliations know which rows were deleted on purpose.
 */
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { stateList } from "#platform/db/sql-parts";
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import { readSheet } from "./sign-sheet.ts";

/** Days after the end of a round. Null: rows are kept forever. */
export interface Retention {
  readonly requests: number | null;
  readonly attempts: number | null;
  readonly entries: number | null;
}

type What = keyof Retention;

/** Maximum number of records per transaction. A small number keeps other transactions from waiting. */
const RECORDS_AT_ONCE = 1_000;

const DONE = stateList(({ isDone }) => isDone);

/** Returns the rounds that ended `days` ago and still have rows to delete, oldest first. */
async function selectOldRounds(db: Db, what: What, days: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select a.id from activity a
    where a.end_time < now() - make_interval(days => ${days}::int)
      and not exists (select from round_cut k where k.rounds_id = a.id and k.what = ${what} and k.is_whole)
      and (${what !== "entries"} or exists (select from sheet_sign_off s where s.rounds_id = a.id))
    order by a.id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Returns whether the last signature of the round covers its current figures, and all wallet entries are
 * older than `days`.
 */
async function isReconciled(tx: Tx, rounds_id: number, days: number, timeZone: string) {
  const { hash, not_ready } = await readSheet(tx, rounds_id, timeZone);
  const { rows } = await sql<{ is_old: boolean }>`
    select (select s.hash from sheet_sign_off s where s.rounds_id = ${rounds_id} order by s.no desc limit 1) = ${hash}
      and not exists (
        select from payout p join wallet_entry e on e.trans_sn = p.trans_sn
        where p.log_id in (select id from draw_record where rounds_id = ${rounds_id})
          and e.paid_at >= now() - make_interval(days => ${days}::int)) as is_old`.execute(tx);
  return not_ready === null && rows[0]?.is_old === true;
}

/** Starts deleting the rows of a round. Stores the totals of the statements, because the sheet still shows them. */
async function insertCut(tx: Tx, rounds_id: number, what: What, days: number): Promise<void> {
  await sql`
    insert into round_cut (rounds_id, what, before_at, listed_count, listed_cents)
    select ${rounds_id}, ${what}, now() - make_interval(days => ${days}::int), count(e.trans_sn),
      coalesce(sum(e.amount_cents), 0)
    from draw_record r
    join payout p on p.log_id = r.id
    join wallet_entry e on e.trans_sn = p.trans_sn
    where r.rounds_id = ${rounds_id} and ${what} = 'entries'
    on conflict do nothing`.execute(tx);
}

/** SQL: the rows of the round's records with `from` ≤ id ≤ `to`. */
function rowsOf(what: What, rounds_id: number, from: number, to: number): RawBuilder<unknown> {
  const between = sql`between ${from}::bigint and ${to}::bigint`;
  const payouts = sql`from payout p where p.log_id ${between} and p.rounds_id = ${rounds_id}`;
  switch (what) {
    case "requests":
      return sql`from draw_request where log_id ${between} and rounds_id = ${rounds_id}`;
    case "attempts":
      return sql`from payout_attempt a where a.log_id ${between} and a.log_id in (
        select p.log_id ${payouts} and p.state in (${DONE}) and p.paid_at < (
          select before_at from round_cut where rounds_id = ${rounds_id} and what = 'attempts'))`;
    case "entries":
      return sql`from wallet_entry where trans_sn in (select p.trans_sn ${payouts})`;
  }
}

/** Deletes the next batch. Returns null if the round is finished or another process works on it. */
async function deletePortion(tx: Tx, rounds_id: number, what: What): Promise<number | null> {
  const { rows } = await sql<{ below_id: number }>`
    select below_id from round_cut
    where rounds_id = ${rounds_id} and what = ${what} and not is_whole
    for update skip locked`.execute(tx);
  const from = rows[0]?.below_id;
  if (from === undefined) {
    return null;
  }
  const { rows: next } = await sql<{ last: number | null; count: number }>`
    select max(id) as last, count(*) as count from (
      select id from draw_record where rounds_id = ${rounds_id} and id >= ${from}::bigint
      order by id limit ${RECORDS_AT_ONCE}) as portion`.execute(tx);
  const { last = null, count = 0 } = next[0] ?? {};
  const to = last ?? from - 1;
  const { numAffectedRows = 0n } = await sql`delete ${rowsOf(what, rounds_id, from, to)}`.execute(
    tx,
  );
  await sql`
    update round_cut set below_id = ${to + 1}::bigint, is_whole = ${count < RECORDS_AT_ONCE}
    where rounds_id = ${rounds_id} and what = ${what}`.execute(tx);
  return Number(numAffectedRows);
}

/** Periodic job for platform/upkeep-job.ts. Returns the number of deleted rows. */
export function deleteOldRows(retention: Retention, timeZone: string) {
  return async (db: Db, signal: AbortSignal): Promise<Record<What, number>> => {
    const deleted = { requests: 0, attempts: 0, entries: 0 };
    for (const what of ["requests", "attempts", "entries"] as const) {
      const days = retention[what];
      if (days === null) {
        continue;
      }
      for (const rounds_id of await selectOldRounds(db, what, days)) {
        await inTransaction(db, async (tx) => {
          if (what !== "entries" || (await isReconciled(tx, rounds_id, days, timeZone))) {
            await insertCut(tx, rounds_id, what, days);
          }
        });
        for (let rows: number | null = 0; rows !== null && !signal.aborted;) {
          rows = await inTransaction(db, (tx) => deletePortion(tx, rounds_id, what));
          deleted[what] += rows ?? 0;
        }
      }
    }
    return deleted;
  };
}
