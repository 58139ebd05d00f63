/** Checks and reads the stored versions of pools and rules (behaviour §3). */
import { sql } from "kysely";
import { VERSION_PRIZE } from "#pools/prize-sql";
import type { Db } from "#platform/db/connection";
import { firstOffence, streamRows } from "#platform/db/snapshot";
import type { Values } from "#platform/db/snapshot";

/**
 * For each table of versions: the table of the owners (`of`), the owner's id column, and the column with the
 * stored value.
 */
const KEPT = {
  pool_version: { of: "pool", id: "pool_id", value: "prizes" },
  activity_rule: { of: "activity", id: "rounds_id", value: "rule" },
} as const;
export type KeptTable = keyof typeof KEPT;

/** Reports versions that are missing from 1 to the current version, or that are outside this range. */
export function selectUnmatchedVersion(table: KeptTable) {
  const { of, id } = KEPT[table];
  return firstOffence(table)`
    select coalesce(o.owner, k.owner)::bigint * 1000000 + coalesce(o.version, k.version) as place,
      jsonb_build_object(${sql.lit(id)}, coalesce(o.owner, k.owner),
        'version', coalesce(o.version, k.version)) as ids,
      case when o.owner is not null then '{}'::jsonb end as expected,
      case when k.owner is not null then '{}'::jsonb end as found
    from (select id as owner, generate_series(1, version) as version from ${sql.table(of)}) o
    full join (select ${sql.ref(id)} as owner, version from ${sql.table(table)}) k
      on k.owner = o.owner and k.version = o.version
    where o.owner is null or k.owner is null`;
}

/** Checks that the current version of a pool equals its prizes. */
export const selectUnsavedPrize = firstOffence("pool_version")`
  with kept as (
    select v.pool_id, v.version, e ->> 'id' as prize_id, e as prize
    from pool_version v
    join pool p on p.id = v.pool_id and p.version = v.version
    cross join lateral jsonb_array_elements(
      case when jsonb_typeof(v.prizes) = 'array' then v.prizes else '[null]' end) e
  ), live as (
    select z.pool_id, p.version, z.id::text as prize_id,
      ${VERSION_PRIZE} as prize
    from prize z join pool p on p.id = z.pool_id
    where z.deleted_at is null
  )
  select coalesce(l.pool_id, k.pool_id) as place,
    jsonb_build_object('pool_id', coalesce(l.pool_id, k.pool_id),
      'version', coalesce(l.version, k.version),
      'prize_id', coalesce(l.prize_id, k.prize_id)) as ids,
    l.prize as expected, k.prize as found
  from live l
  full join kept k on k.pool_id = l.pool_id and k.prize_id = l.prize_id
  where l.prize is distinct from k.prize`;

export interface ActivityAndRule {
  readonly id: number;
  readonly version: number;
  readonly activity: Values;
  readonly rule: unknown;
}

/** Streams all activities by id, including deleted activities. */
export function streamActivityRules(snapshot: Db): AsyncGenerator<ActivityAndRule[]> {
  return streamRows<ActivityAndRule>(
    snapshot,
    sql`
      select a.id, a.version, to_jsonb(a) as activity, u.rule
      from activity a
      left join activity_rule u on u.rounds_id = a.id and u.version = a.version
      order by a.id`,
  );
}

export interface KeptVersion {
  readonly owner: number;
  readonly version: number;
  readonly value: unknown;
}

/** Returns the stored values of these pairs: `owners[i]` belongs to `versions[i]`. Missing versions are left out. */
export async function selectKept(
  snapshot: Db,
  table: KeptTable,
  owners: readonly number[],
  versions: readonly number[],
): Promise<KeptVersion[]> {
  const { id, value } = KEPT[table];
  const { rows } = await sql<KeptVersion>`
    select x.owner, x.version, k.${sql.ref(value)} as value
    from unnest(${owners}::int[], ${versions}::int[]) as x (owner, version)
    join ${sql.table(table)} k on k.${sql.ref(id)} = x.owner and k.version = x.version`.execute(
    snapshot,
  );
  return rows;
}
