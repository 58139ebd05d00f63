/** Reads the evidence of a round that is not in the chain (behaviour §5). */
import { sql } from "kysely";
import type { Db } from "#platform/db/connection";
import { streamRows } from "#platform/db/snapshot";
import { idAt, SLOTS } from "#platform/db/time-ids";
import { LATE_MS } from "./seal-records.ts";

export interface KeptText {
  readonly kind: "rule" | "pool";
  /** Id of the round or of the pool. */
  readonly id: number;
  readonly version: number;
  readonly text: string;
}

/** Versions per page. The number is small, because a pool may be long. */
const PAGE_VERSIONS = 8;

/**
 * Streams, in pages, the versions to which the round's records refer. A snapshot can have only one stream at a time.
 */
export function streamRoundVersions(snapshot: Db, rounds_id: number): AsyncGenerator<KeptText[]> {
  const versions = sql<KeptText>`
    select 'rule' as kind, u.rounds_id as id, u.version, u.rule::text as text
    from activity_rule u
    where u.rounds_id = ${rounds_id}
      and u.version in (select rule_version from draw_record where rounds_id = ${rounds_id})
    union all
    select 'pool', v.pool_id, v.version, v.prizes::text
    from pool_version v
    join (select distinct pool_id, pool_version from draw_record where rounds_id = ${rounds_id}) d
      on d.pool_id = v.pool_id and d.pool_version = v.version
    order by kind, id, version`;
  return streamRows(snapshot, versions, PAGE_VERSIONS);
}

export interface RoundProof {
  readonly rounds_name: string;
  readonly records: number;
  /**
   * The first block that can contain a record of the round. If no block can yet, this number is above the end of
   * the chain.
   */
  readonly first_block: number;
  /** All records of the round have lower ids. They are sealed before any record with a higher id. */
  readonly late_id: number;
}

/** Throws an error if the round does not exist. */
export async function selectRoundProof(db: Db, rounds_id: number): Promise<RoundProof> {
  const late = sql.lit(LATE_MS * SLOTS);
  const { rows } = await sql<RoundProof>`
    with round as (
      select a.rounds_name, r.records, least(${idAt(sql`a.start_time`)}, r.first_id) as first_id,
        greatest(${idAt(sql`least(a.end_time + interval '1 second', clock_timestamp())`)}, r.last_id) as last_id
      from activity a, (select count(*) as records, min(id) as first_id, max(id) as last_id
        from draw_record where rounds_id = ${rounds_id}) r
      where a.id = ${rounds_id}
    ), reached as (
      -- A late record's block may end lower than blocks before it, but not by more than it may be late.
      select last_id from seal where last_id >= (select first_id from round) order by last_id limit 1
    )
    select rounds_name, records, last_id + ${late} as late_id,
      coalesce((select min(no) from seal, reached
          where seal.last_id between reached.last_id and reached.last_id + ${late}),
        (select coalesce(max(no), 0) + 1 from seal)) as first_block
    from round`.execute(db);
  const [round] = rows;
  if (round === undefined) {
    throw new Error(`round ${rounds_id} has no evidence`);
  }
  return round;
}

/** Streams the round's unsealed records by id, in pages. A snapshot can have only one stream at a time. */
export function streamUnsealed(
  snapshot: Db,
  rounds_id: number,
  { first_block, last_block }: { readonly first_block: number; readonly last_block: number },
): AsyncGenerator<{ readonly id: number }[]> {
  const unsealed = sql<{ id: number }>`
    with sealed as materialized (
      select unnest(log_ids) as id from seal
      where no between ${first_block} and ${last_block} and ${rounds_id} = any(rounds_ids)
    )
    select r.id from draw_record r left join sealed on sealed.id = r.id
    where r.rounds_id = ${rounds_id} and sealed.id is null order by r.id`;
  return streamRows(snapshot, unsealed);
}
