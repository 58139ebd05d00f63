/** The evidence of a round besides the chain (behaviour §5). */
import { sql } from "kysely";
import type { Db } from "#platform/connection";
import { streamRows } from "#platform/snapshot";

export interface KeptText {
  readonly kind: "rule" | "pool";
  /** Of the round or of the pool. */
  readonly id: number;
  readonly version: number;
  readonly text: string;
}

/** Few at a time: a pool may be long. */
const PAGE_VERSIONS = 8;

/** The versions that a round's records name, in pages; one stream of a snapshot at a time. */
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

export async function selectRoundProof(
  db: Db,
  rounds_id: number,
): Promise<{ readonly rounds_name: string; readonly records: number }> {
  const { rows } = await sql<{ rounds_name: string; records: number }>`
    select a.rounds_name,
      (select count(*) from draw_record where rounds_id = ${rounds_id}) as records
    from activity a where a.id = ${rounds_id}`.execute(db);
  return rows[0] ?? { rounds_name: "", records: 0 };
}

/** The round's unsealed records by id, in pages; one stream of a snapshot at a time. */
export function streamUnsealed(
  snapshot: Db,
  rounds_id: number,
): AsyncGenerator<{ readonly id: number }[]> {
  const unsealed = sql<{ id: number }>`
    with sealed as materialized (
      select unnest(log_ids) as id from seal
      where last_id >= (select min(id) from draw_record where rounds_id = ${rounds_id})
    )
    select r.id from draw_record r left join sealed on sealed.id = r.id
    where r.rounds_id = ${rounds_id} and sealed.id is null order by r.id`;
  return streamRows(snapshot, unsealed);
}
