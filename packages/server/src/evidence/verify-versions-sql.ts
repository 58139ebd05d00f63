/** Kept versions of pools and rules (behaviour §3). */
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { VERSION_PRIZE } from "#rounds/prize-sql";
import type { Db } from "#platform/connection";
import { selectFirstOffence, streamRows } from "#platform/snapshot";
import type { Offence, Values } from "#platform/snapshot";

/** Versions that are missing from 1 … current, or lie outside. */
function unmatchedVersions(
  owners: RawBuilder<unknown>,
  kept: RawBuilder<unknown>,
  owner: string,
): RawBuilder<unknown> {
  return sql`
    select coalesce(o.owner, k.owner)::bigint * 1000000 + coalesce(o.version, k.version) as place,
      jsonb_build_object(${sql.lit(owner)}, coalesce(o.owner, k.owner),
        'version', coalesce(o.version, k.version)) as ids,
      case when o.owner is not null then '{}'::jsonb end as expected,
      case when k.owner is not null then '{}'::jsonb end as found
    from (
      select owner, generate_series(1, current) as version from (${owners}) owners (owner, current)
    ) o
    full join (${kept}) k (owner, version) on k.owner = o.owner and k.version = o.version
    where o.owner is null or k.owner is null`;
}

export async function selectUnmatchedPoolVersion(snapshot: Db): Promise<Offence | null> {
  return await selectFirstOffence(
    snapshot,
    "pool_version",
    unmatchedVersions(
      sql`select id, version from pool`,
      sql`select pool_id, version from pool_version`,
      "pool_id",
    ),
  );
}

export async function selectUnmatchedRuleVersion(snapshot: Db): Promise<Offence | null> {
  return await selectFirstOffence(
    snapshot,
    "activity_rule",
    unmatchedVersions(
      sql`select id, version from activity`,
      sql`select rounds_id, version from activity_rule`,
      "rounds_id",
    ),
  );
}

/** A pool's current version equals its prizes. */
export async function selectUnsavedPrize(snapshot: Db): Promise<Offence | null> {
  return await selectFirstOffence(
    snapshot,
    "pool_version",
    sql`
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
      where l.prize is distinct from k.prize`,
  );
}

export interface ActivityAndRule {
  readonly id: number;
  readonly version: number;
  readonly activity: Values;
  readonly rule: unknown;
}

/** By id, deleted ones too. */
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

export interface KeptRule {
  readonly rounds_id: number;
  readonly version: number;
  readonly rule: unknown;
}

/** The rules of these rounds and versions, which belong together; missing ones are left out. */
export async function selectKeptRules(
  snapshot: Db,
  rounds_ids: readonly number[],
  versions: readonly number[],
): Promise<KeptRule[]> {
  const { rows } = await sql<KeptRule>`
    select u.rounds_id, u.version, u.rule
    from unnest(${rounds_ids}::int[], ${versions}::int[]) as x (rounds_id, version)
    join activity_rule u on u.rounds_id = x.rounds_id and u.version = x.version`.execute(snapshot);
  return rows;
}

export interface KeptPool {
  readonly pool_id: number;
  readonly version: number;
  readonly prizes: unknown;
}

/** The prizes of these pools and versions, which belong together; missing ones are left out. */
export async function selectKeptPools(
  snapshot: Db,
  pool_ids: readonly number[],
  versions: readonly number[],
): Promise<KeptPool[]> {
  const { rows } = await sql<KeptPool>`
    select v.pool_id, v.version, v.prizes
    from unnest(${pool_ids}::int[], ${versions}::int[]) as x (pool_id, version)
    join pool_version v on v.pool_id = x.pool_id and v.version = x.version`.execute(snapshot);
  return rows;
}
