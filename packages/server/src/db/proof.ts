/** What the evidence of a round consists of beside the chain (behaviour §5). */
import { sql } from "kysely";
import type { Db } from "./connection.ts";

/** A kept version as the text that is hashed. */
export interface KeptText {
  readonly kind: "rule" | "pool";
  /** Of the round or of the pool. */
  readonly id: number;
  readonly version: number;
  readonly text: string;
}

/** The versions that the records of a round name. */
export async function selectRoundVersions(db: Db, rounds_id: number): Promise<KeptText[]> {
  const { rows } = await sql<KeptText>`
    select 'rule' as kind, u.rounds_id as id, u.version, u.rule::text as text
    from activity_rule u
    where u.rounds_id = ${rounds_id}
      and u.version in (select rule_version from draw_record where rounds_id = ${rounds_id})
    union all
    select 'pool', v.pool_id, v.version, v.prizes::text
    from pool_version v
    join (select distinct pool_id, pool_version from draw_record where rounds_id = ${rounds_id}) d
      on d.pool_id = v.pool_id and d.pool_version = v.version
    order by kind, id, version`.execute(db);
  return rows;
}

/** Name and size of a round's evidence, and which of its records wait for their block. */
export async function selectRoundProof(
  db: Db,
  rounds_id: number,
): Promise<{
  readonly rounds_name: string;
  readonly records: number;
  readonly unsealed: readonly number[];
}> {
  const { rows } = await sql<{ rounds_name: string; records: number; unsealed: string[] }>`
    with sealed as materialized (
      select unnest(log_ids) as id from seal
      where last_id >= (select min(id) from draw_record where rounds_id = ${rounds_id})
    )
    select a.rounds_name,
      (select count(*) from draw_record where rounds_id = ${rounds_id}) as records,
      array(
        select r.id from draw_record r left join sealed on sealed.id = r.id
        where r.rounds_id = ${rounds_id} and sealed.id is null order by r.id
      )::text[] as unsealed
    from activity a where a.id = ${rounds_id}`.execute(db);
  const [row] = rows;
  return {
    rounds_name: row?.rounds_name ?? "",
    records: row?.records ?? 0,
    unsealed: (row?.unsealed ?? []).map(Number),
  };
}
