/**
 * Reads and writes the chains of sealed records and of the sealed audit log (behaviour §5, §9): blocks, sealed
 * rows and unsealed rows.
 */
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { AUDIT_DAYS_MIN } from "#platform/config";
import type { Db, Tx } from "#platform/db/connection";
import type { Measured } from "#platform/http/metrics";
import { EVENT_EPOCH_MS, idAt, IDS_PER_MINUTE, SLOTS } from "#platform/db/time-ids";
import { CHAIN_START } from "./seal-chain.ts";
import type { Seal, SealFacts } from "./seal-chain.ts";

/** The sealed lists. Each list has its own chain. */
export const SEALED_LISTS = ["draw_record", "audit_log"] as const;
export type SealedList = (typeof SEALED_LISTS)[number];

export const BLOCKS = { draw_record: "seal", audit_log: "audit_seal" } as const;

/** The audit action of a trim. Its row contains number and hash of the last deleted block. */
export const TRIM_ACTION = "trim_audit_log";

const sha256Of = (text: RawBuilder<unknown>) =>
  sql`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;

/** SQL: the facts of the records whose id and rounds_id `page` selects, in id order. */
function factsOf(page: RawBuilder<unknown>): RawBuilder<SealFacts> {
  // Each version is hashed only once, because many records share a version and a pool may be long.
  return sql<SealFacts>`
    with page as materialized (${page}),
    drawn as materialized (
      select r.* from page cross join lateral (
        select * from draw_record where id = page.id and rounds_id = page.rounds_id limit 1) r
    ), pools as materialized (
      select v.pool_id, v.version, ${sha256Of(sql`v.prizes::text`)} as hash
      from (select distinct pool_id, pool_version from drawn) d
      join pool_version v on v.pool_id = d.pool_id and v.version = d.pool_version
    ), rules as materialized (
      select u.rounds_id, u.version, ${sha256Of(sql`u.rule::text`)} as hash
      from (select distinct rounds_id, rule_version from drawn) d
      join activity_rule u on u.rounds_id = d.rounds_id and u.version = d.rule_version
    )
    select d.id as log_id, d.rounds_id, y.player_id, s.salt, e.commitment as erased_commitment, d.draw_no, d.prize_id, d.award_name,
      d.award_price_cents, d.turnover, d.rule_version, rules.hash as rule_hash, d.pool_id,
      d.pool_version, pools.hash as pool_hash, d.ticket, d.fallback_ticket, d.exhausted,
      d.extra_time_id, d.created_at, p.trans_sn
    from drawn d
    -- Looked up one by one: while tables grow, the planner believes that they are small and reads them whole.
    cross join lateral (select player_id from player where player_key = d.player_key limit 1) y
    left join lateral (select salt from player_salt where player_key = d.player_key limit 1) s on true
    left join lateral (select commitment from erased_commitment c
      where c.player_key = d.player_key and c.rounds_id = d.rounds_id limit 1) e on true
    left join lateral (select trans_sn from payout where log_id = d.id limit 1) p on true
    left join pools on pools.pool_id = d.pool_id and pools.version = d.pool_version
    left join rules on rules.rounds_id = d.rounds_id and rules.version = d.rule_version
    order by d.id`;
}

/**
 * Locks the chain until this transaction ends: nobody else can seal, or change the commitment of a record. Also
 * makes the transaction read records in index order.
 */
export async function lockChain(tx: Tx, list: SealedList = "draw_record"): Promise<void> {
  // A bitmap scan would read and sort the whole backlog for each block.
  await sql`
    select pg_advisory_xact_lock(hashtext(${BLOCKS[list]})), set_config('enable_bitmapscan', 'off', true)`.execute(
    tx,
  );
}

/** Returns the last block, which a trim never deletes. The number is 0 if nothing is sealed yet. */
export async function selectChainEnd(
  db: Db,
  list: SealedList = "draw_record",
): Promise<Pick<Seal, "no" | "hash">> {
  const row = await db
    .selectFrom(BLOCKS[list])
    .select(["no", "hash"])
    .orderBy("no", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ?? { no: 0, hash: CHAIN_START };
}

interface Trim extends Pick<Seal, "no" | "hash"> {
  /**
   * The trim may not delete rows newer than this time. Null if the kept rows already prove that no newer row was
   * deleted.
   */
  readonly newest: Date | null;
}

/** Returns the last deleted block. */
export async function selectTrimmed(db: Db, list: SealedList): Promise<Trim> {
  const { rows } = await sql<{ after: { no?: number; hash?: string }; newest: Date | null }>`
    select after, case when (
        select log_ids[1] < ${idAt(sql`newest`)} from ${sql.table(BLOCKS[list])}
        where to_jsonb(no) > after -> 'no' order by no limit 1) then null else newest end as newest
    from audit_log
    cross join lateral (select least(at, now()) - make_interval(days => ${AUDIT_DAYS_MIN}::int) as newest) x
    where action = ${TRIM_ACTION} and ${list} = 'audit_log'
    order by id desc limit 1`.execute(db);
  const { after = {}, newest = null } = rows[0] ?? {};
  const { no = 0, hash } = after;
  return { no, hash: hash === undefined ? CHAIN_START : Buffer.from(hash, "hex"), newest };
}

/** Range of ids between two moments: above `after`, up to and including `upTo`. */
export interface IdSpan {
  readonly after: number;
  readonly upTo: number;
}

/** SQL that selects `id` and `rounds_id` of the rows to seal. */
export type SealPage = RawBuilder<unknown>;

const ROUND = { draw_record: sql`r.rounds_id`, audit_log: sql`0 as rounds_id` } as const;

/** SQL: the oldest rows above the newest sealed row, without rows of the last `settleMs`. */
export function newRows(list: SealedList, settleMs: number, limit: number): SealPage {
  return sql`
    select r.id, ${ROUND[list]}
    from ${sql.table(list)} r
    where r.id > (select coalesce(max(last_id), 0) from ${sql.table(BLOCKS[list])})
      and r.id < (select ${idAt(sql`clock_timestamp() - ${settleMs - 1} * interval '1 ms'`)})
    order by r.id
    limit ${limit}`;
}

type Ages = Readonly<Record<SealedList, number | null>>;

/** Metric: the age of the oldest unsealed row. */
export function sealsMeasured(db: Db): Measured {
  const ms = sql`extract(epoch from clock_timestamp()) * 1000 - id / ${sql.lit(SLOTS)} - ${sql.lit(EVENT_EPOCH_MS)}`;
  const ages = SEALED_LISTS.map(
    (list) =>
      sql`(select (${ms})::float8 / 1000 from (${newRows(list, 0, 1)}) r) as ${sql.ref(list)}`,
  );
  return {
    name: "redpacket_seals_behind_seconds",
    help: "Age of the oldest row that waits to be sealed",
    labels: ["list"],
    value: async () => {
      const { rows } = await sql<Ages>`select ${sql.join(ages)}`.execute(db);
      return SEALED_LISTS.map((list) => [{ list }, rows[0]?.[list] ?? 0]);
    },
  };
}

/**
 * Returns id ranges, one per minute, from `lookBackMs` before the newest sealed row up to that row. The list is
 * empty if nothing is sealed.
 */
export async function selectPastSpans(
  db: Db,
  list: SealedList,
  lookBackMs: number,
): Promise<IdSpan[]> {
  const { rows } = await sql<IdSpan>`
    select upTo - ${sql.lit(IDS_PER_MINUTE)} as after, upTo as "upTo"
    from (select max(last_id) as newest from ${sql.table(BLOCKS[list])}) x,
      generate_series(newest - ${lookBackMs - 60_000}::bigint * ${sql.lit(SLOTS)}, newest,
        ${sql.lit(IDS_PER_MINUTE)}) upTo`.execute(db);
  return rows;
}

const sealedIn = (list: SealedList, { after, upTo }: IdSpan) => sql`
  select id from ${sql.table(BLOCKS[list])} cross join unnest(log_ids) id
  where last_id > ${after} and first_id <= ${upTo} and id > ${after} and id <= ${upTo}`;

/**
 * Returns whether all rows of the range are sealed. Counting is much cheaper than a search, and nearly always enough.
 */
export async function selectIsSealed(db: Db, list: SealedList, span: IdSpan): Promise<boolean> {
  const { rows } = await sql<{ readonly is_sealed: boolean }>`
    select (select count(*) from ${sql.table(list)} where id > ${span.after} and id <= ${span.upTo})
      <= (select count(*) from (${sealedIn(list, span)}) sealed) as is_sealed`.execute(db);
  return rows[0]?.is_sealed ?? true;
}

/** SQL: the oldest unsealed rows of the range. */
export function unsealedRows(list: SealedList, span: IdSpan, limit: number): SealPage {
  return sql`
    select r.id, ${ROUND[list]}
    from ${sql.table(list)} r
    where r.id > ${span.after} and r.id <= ${span.upTo}
      and not exists (select from (${sealedIn(list, span)}) sealed where sealed.id = r.id)
    order by r.id
    limit ${limit}`;
}

/** A row in the form in which a block stores it. */
export interface SealLeaf {
  readonly id: number;
  readonly rounds_id: number;
  readonly hash: Buffer;
}

/** Returns the leaves of audit rows (`audit_hash`). */
export async function selectAuditLeaves(db: Db, page: SealPage): Promise<SealLeaf[]> {
  const { rows } = await sql<SealLeaf>`
    select l.id, 0 as rounds_id, audit_hash(l) as hash
    from (${page}) page join audit_log l on l.id = page.id
    order by l.id`.execute(db);
  return rows;
}

/** Returns the facts of the records with their players' salts. Makes missing salts, but not for erased players. */
export async function selectWithSalts(tx: Tx, page: SealPage): Promise<SealFacts[]> {
  const { rows: records } = await factsOf(page).execute(tx);
  const without = records.filter(
    ({ salt, erased_commitment }) => salt === null && erased_commitment === null,
  );
  const player_ids = [...new Set(without.map(({ player_id }) => player_id))];
  if (player_ids.length === 0) {
    return records;
  }
  const { rows } = await sql<{ readonly player_id: string; readonly salt: Buffer }>`
    with made as (
      insert into player_salt (player_key, salt)
      select y.player_key, x.salt
      from unnest(${player_ids}::text[], ${player_ids.map(() => randomBytes(32))}::bytea[])
        x (player_id, salt)
      cross join lateral (select player_key from player where player_id = x.player_id limit 1) y
      returning player_key, salt
    )
    select y.player_id, made.salt from made join player y using (player_key)`.execute(tx);
  const made = new Map(rows.map(({ player_id, salt }) => [player_id, salt]));
  return records.map((facts) => ({
    ...facts,
    salt: facts.salt ?? made.get(facts.player_id) ?? null,
  }));
}

export async function insertSeal(tx: Tx, list: SealedList, seal: Seal): Promise<void> {
  await sql`
    insert into ${sql.table(BLOCKS[list])} (no, log_ids, rounds_ids, hashes, first_id, last_id, prev, root, hash)
    select ${seal.no}, ids, ${seal.rounds_ids}::integer[], ${seal.hashes},
      (select min(id) from unnest(ids) id), (select max(id) from unnest(ids) id),
      ${seal.prev}, ${seal.root}, ${seal.hash}
    from (select ${seal.log_ids}::bigint[] as ids) x`.execute(tx);
}

/** Returns at most `limit` blocks after block `after`, in order. */
export async function selectSeals(
  db: Db,
  after: number,
  limit: number,
  list: SealedList = "draw_record",
): Promise<Seal[]> {
  // The driver reads arrays of bigint as text.
  const { rows } = await sql<Omit<Seal, "log_ids"> & { readonly log_ids: readonly string[] }>`
    select no, log_ids::text[] as log_ids, rounds_ids, hashes, prev, root, hash
    from ${sql.table(BLOCKS[list])} where no > ${after} order by no limit ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, log_ids: row.log_ids.map(Number) }));
}

/** A block without its records. */
export type SealLink = Pick<Seal, "no" | "prev" | "hash" | "root">;

/** Returns the block of a record and the record's index in the block, or null while the record is unsealed. */
export async function selectSealOf(db: Db, log_id: number) {
  // The id ranges of blocks may overlap, because late records get a block of their own.
  const { rows } = await sql<SealLink & { readonly index: number; readonly size: number }>`
    select no, prev, hash, root, array_position(log_ids, ${log_id}::bigint) - 1 as index,
      cardinality(log_ids) as size
    from seal
    where last_id >= ${log_id} and first_id <= ${log_id} and ${log_id}::bigint = any(log_ids)
    order by last_id limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Returns at most `limit` blocks after block `after` without their records, in order. */
export async function selectLinks(db: Db, after: number, limit: number): Promise<SealLink[]> {
  return await db
    .selectFrom("seal")
    .select(["no", "prev", "hash", "root"])
    .where("no", ">", after)
    .orderBy("no")
    .limit(limit)
    .execute();
}

type Entries = Pick<Seal, "log_ids" | "rounds_ids">;

export const entriesOf = ({ log_ids, rounds_ids }: Entries): SealPage => sql`
  select x.id, x.rounds_id
  from unnest(${log_ids}::bigint[], ${rounds_ids}::integer[]) x (id, rounds_id)`;

/** Returns the facts in id order. Missing records are left out. */
export async function selectSealFacts(db: Db, named: Entries): Promise<SealFacts[]> {
  return (await factsOf(entriesOf(named)).execute(db)).rows;
}

/** Returns the oldest unsealed row that is more than `lookBackMs` older than the newest sealed row. */
export async function selectLateUnsealed(db: Db, list: SealedList, lookBackMs: number) {
  const blocks = sql.table(BLOCKS[list]);
  const { rows } = await sql<{ readonly id: number; readonly rounds_id: number }>`
    with sealed as materialized (select unnest(log_ids) as id from ${blocks})
    select r.id, ${ROUND[list]}
    from ${sql.table(list)} r
    left join sealed on sealed.id = r.id
    where sealed.id is null
      and r.id < (select max(last_id) - ${lookBackMs}::bigint * ${sql.lit(SLOTS)} from ${blocks})
    order by r.id limit 1`.execute(db);
  return rows[0] ?? null;
}

export async function selectTwiceSealed(db: Db, list: SealedList): Promise<number | null> {
  const { rows } = await sql<{ readonly id: number }>`
    select id from (select unnest(log_ids) as id from ${sql.table(BLOCKS[list])}) sealed
    group by id having count(*) > 1 order by id limit 1`.execute(db);
  return rows[0]?.id ?? null;
}
