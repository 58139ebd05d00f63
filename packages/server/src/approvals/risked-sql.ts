/**
 * What each person risked in the last 24 hours. All changes count together, so that splitting a change does
 * not help (behaviour §16). Older rows show how often another threshold would have required a proof.
 */
import { ASKED_DAYS } from "@red/contract/approvals/setting";
import type { BandKey } from "@red/contract/approvals/setting";
import type { Risk } from "@red/engine/risk";
import type { PastChange } from "@red/engine/times-asked";
import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import type { Db, Tx } from "#platform/db/connection";
import type { Database } from "#platform/db/schema";

type Row = Selectable<Database["risked"]>;

/** Whole cents risked since the last proof of each kind. An approval counts as all three kinds. */
export interface Risked {
  readonly code: number;
  readonly reason: number;
  readonly second: number;
}

/** For a change without risk, which needs no lock and no total. */
export const NOT_COUNTED: Risked = { code: 0, reason: 0, second: 0 };

const DAY = sql`interval '24 hours'`;
const MOST = Number.MAX_SAFE_INTEGER;
const OLDEST = sql<Date>`now() - make_interval(days => ${ASKED_DAYS}::int)`;

const sumOf = (cents: "cents" | "code_cents", proof: "coded" | "reasoned" | "approved") => sql`
  least(coalesce(sum(${sql.ref(cents)}) filter (where not ${sql.ref(proof)}), 0), ${MOST})::bigint`;

/** SQL: the sums of each person of `who` who risked or proved anything within the day. */
const sumsOf = (who: RawBuilder<unknown>) => sql<Risked>`
    select operator_id, ${sumOf("code_cents", "coded")} as code, ${sumOf("cents", "reasoned")} as reason,
      ${sumOf("cents", "approved")} as second
    from (
      select operator_id, cents, code_cents, bool_or(coded) over later as coded,
        bool_or(reasoned) over later as reasoned, bool_or(approved) over later as approved
      from risked where ${who} and at > now() - ${DAY}
      window later as (partition by operator_id order by id desc)) as proved_later
    group by operator_id`;

/**
 * SQL: for each waiting change, the maker's other waiting changes plus everything the maker risked without
 * an approval, in whole cents.
 */
export const RISKED_BESIDE = sql<{ readonly id: number; readonly risked: number }>`(
  select w.id, least(w.others + coalesce(r.second, 0), ${MOST})::bigint as risked
  from (
    select id, maker_id, sum(risk_cents) over (partition by maker_id) - risk_cents as others
    from approval where state = 'waiting' and expires_at > now()) w
  left join (${sumsOf(sql`true`)}) r on r.operator_id is not distinct from w.maker_id)`;

/**
 * Locks the person (null: redctl) until the transaction ends, so that the second of two parallel changes
 * counts the first. Take this lock last: then its holder never waits for another transaction.
 */
export async function lockRisked(tx: Tx, operator_id: Row["operator_id"]): Promise<Risked> {
  const person = `risked ${operator_id ?? "redctl"}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${person}, 0))`.execute(tx);
  const own = operator_id === null ? sql`operator_id is null` : sql`operator_id = ${operator_id}`;
  // This must be a separate statement, so that it sees everything committed while the lock was awaited.
  const { rows } = await sumsOf(own).execute(tx);
  return rows[0] ?? NOT_COUNTED;
}

/** Stores the risk or proof of a committed change. A proof needs no lock, because it only lowers totals. */
export async function insertRisked(
  tx: Tx,
  operator_id: Row["operator_id"],
  { cents, code_cents }: Pick<Risk, "cents" | "code_cents">,
  proofs: Pick<Row, "coded" | "reasoned" | "approved">,
): Promise<void> {
  if (cents > 0 || proofs.coded || proofs.reasoned) {
    const row = { operator_id, cents, code_cents, ...proofs };
    await tx.insertInto("risked").values(row).execute();
  }
}

/**
 * Returns the changes of the last `ASKED_DAYS` with the cents that count for this threshold, by person, oldest first.
 */
export async function selectPastChanges(db: Db, key: BandKey): Promise<PastChange[]> {
  const cents = key === "guard_sum" ? "code_cents" : "cents";
  const rows = db.selectFrom("risked").select(["operator_id as person", "at", `${cents} as cents`]);
  return await rows.where("at", ">", OLDEST).orderBy("operator_id").orderBy("at").execute();
}

/** Deletes at most `limit` rows older than `ASKED_DAYS` and returns their number. */
export async function deleteOldRisked(tx: Tx, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from risked where id in (
      select id from risked where at <= ${OLDEST} limit ${limit} for update skip locked)`.execute(
    tx,
  );
  return Number(numAffectedRows);
}
