/** The chain of sealed records (behaviour §5): blocks, sealed and unsealed records. */
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db, Tx } from "#platform/connection";

/** Record ids encode their time: so many ids to a millisecond. */
const IDS_PER_MS = 16_384;

export interface SealFacts {
  readonly log_id: number;
  readonly rounds_id: number;
  readonly player_id: string;
  readonly draw_no: number;
  readonly prize_id: number;
  readonly award_name: string;
  readonly award_price_cents: number;
  readonly turnover: number;
  readonly rule_version: number;
  /** SHA-256 of the rule's kept text, as hex; null when there is none. */
  readonly rule_hash: string | null;
  readonly pool_id: number;
  readonly pool_version: number;
  /** SHA-256 of the pool version's kept text, as hex; null when there is none. */
  readonly pool_hash: string | null;
  readonly ticket: number;
  readonly fallback_ticket: number | null;
  readonly exhausted: readonly number[];
  readonly extra_time_id: number | null;
  readonly created_at: Date;
  readonly trans_sn: string | null;
}

export interface Seal {
  readonly no: number;
  readonly log_ids: readonly number[];
  readonly rounds_ids: readonly number[];
  readonly hashes: Buffer;
  readonly prev: Buffer;
  readonly hash: Buffer;
}

const sha256Of = (text: RawBuilder<unknown>) =>
  sql`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;

/** Facts of the records whose id and rounds_id `page` selects, in id order. */
function factsOf(page: RawBuilder<unknown>): RawBuilder<SealFacts> {
  // Hash each version once: many records share them, and a pool may be long.
  return sql<SealFacts>`
    with page as materialized (${page}),
    drawn as materialized (
      select r.* from page join draw_record r on r.id = page.id and r.rounds_id = page.rounds_id
    ), pools as materialized (
      select v.pool_id, v.version, ${sha256Of(sql`v.prizes::text`)} as hash
      from (select distinct pool_id, pool_version from drawn) d
      join pool_version v on v.pool_id = d.pool_id and v.version = d.pool_version
    ), rules as materialized (
      select u.rounds_id, u.version, ${sha256Of(sql`u.rule::text`)} as hash
      from (select distinct rounds_id, rule_version from drawn) d
      join activity_rule u on u.rounds_id = d.rounds_id and u.version = d.rule_version
    )
    select d.id as log_id, d.rounds_id, y.player_id, d.draw_no, d.prize_id, d.award_name,
      d.award_price_cents, d.turnover, d.rule_version, rules.hash as rule_hash, d.pool_id,
      d.pool_version, pools.hash as pool_hash, d.ticket, d.fallback_ticket, d.exhausted,
      d.extra_time_id, d.created_at, p.trans_sn
    from drawn d
    join player y on y.player_key = d.player_key
    left join payout p on p.log_id = d.id
    left join pools on pools.pool_id = d.pool_id and pools.version = d.pool_version
    left join rules on rules.rounds_id = d.rounds_id and rules.version = d.rule_version
    order by d.id`;
}

/** Serializes sealing until this transaction ends. */
export async function lockChain(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('seal'))`.execute(tx);
}

/** Null when nothing is sealed yet. */
export async function selectLastSeal(
  db: Db,
): Promise<{ readonly no: number; readonly hash: Buffer } | null> {
  const row = await db
    .selectFrom("seal")
    .select(["no", "hash"])
    .orderBy("no", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** The oldest unsealed records, from `lookBackMs` before the newest sealed one: they may commit late. */
export async function selectUnsealed(
  tx: Tx,
  lookBackMs: number,
  limit: number,
): Promise<SealFacts[]> {
  const low = sql`(select coalesce(max(last_id), 0) - ${lookBackMs}::bigint * ${sql.lit(IDS_PER_MS)}
    from seal)`;
  const { rows } = await factsOf(sql`
    select r.id, r.rounds_id
    from draw_record r
    left join (
      select unnest(log_ids) as id from seal where last_id > ${low}
    ) sealed on sealed.id = r.id
    where r.id > ${low} and sealed.id is null
    order by r.id
    limit ${limit}`).execute(tx);
  return rows;
}

export async function insertSeal(tx: Tx, seal: Seal): Promise<void> {
  await sql`
    insert into seal (no, log_ids, rounds_ids, hashes, first_id, last_id, prev, hash)
    select ${seal.no}, ids, ${seal.rounds_ids}::integer[], ${seal.hashes},
      (select min(id) from unnest(ids) id), (select max(id) from unnest(ids) id),
      ${seal.prev}, ${seal.hash}
    from (select ${seal.log_ids}::bigint[] as ids) x`.execute(tx);
}

/** Blocks after `after`, in order, at most `limit`. */
export async function selectSeals(db: Db, after: number, limit: number): Promise<Seal[]> {
  // The driver reads arrays of bigint as text.
  const { rows } = await sql<Omit<Seal, "log_ids"> & { readonly log_ids: readonly string[] }>`
    select no, log_ids::text[] as log_ids, rounds_ids, hashes, prev, hash
    from seal where no > ${after} order by no limit ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, log_ids: row.log_ids.map(Number) }));
}

/** In id order; records that do not exist are left out. */
export async function selectSealFacts(
  db: Db,
  named: Pick<Seal, "log_ids" | "rounds_ids">,
): Promise<SealFacts[]> {
  const { rows } = await factsOf(sql`
    select x.id, x.rounds_id
    from unnest(${named.log_ids}::bigint[], ${named.rounds_ids}::integer[]) x (id, rounds_id)`).execute(
    db,
  );
  return rows;
}

/** The oldest unsealed record from before `lookBackMs` before the newest sealed one. */
export async function selectLateUnsealed(
  db: Db,
  lookBackMs: number,
): Promise<{ readonly id: number; readonly rounds_id: number } | null> {
  const { rows } = await sql<{ readonly id: number; readonly rounds_id: number }>`
    with sealed as materialized (select unnest(log_ids) as id from seal)
    select r.id, r.rounds_id
    from draw_record r
    left join sealed on sealed.id = r.id
    where sealed.id is null
      and r.id < (select max(last_id) - ${lookBackMs}::bigint * ${sql.lit(IDS_PER_MS)} from seal)
    order by r.id limit 1`.execute(db);
  return rows[0] ?? null;
}

export async function selectTwiceSealed(db: Db): Promise<number | null> {
  const { rows } = await sql<{ readonly id: number }>`
    select id from (select unnest(log_ids) as id from seal) sealed
    group by id having count(*) > 1 order by id limit 1`.execute(db);
  return rows[0]?.id ?? null;
}
