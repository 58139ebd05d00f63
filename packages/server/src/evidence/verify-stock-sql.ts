/**
 * Checks stock against records (behaviour §5). The checks are valid at every moment: a draw writes record and
 * stock in one transaction, it stores the pool version that it read under the locks, and a prize's total is fixed
 * within a version.
 */
import { sql } from "kysely";
import { firstOffence } from "#platform/db/snapshot";

/** SQL: the prizes of pool versions. `total` may be missing; the derivation of draws reports this. */
const totalsOfVersions = sql`
  select v.pool_id, v.version, e ->> 'id' as prize_id,
    case when jsonb_typeof(e -> 'award_total') = 'number'
      then (e ->> 'award_total')::numeric end as total
  from pool_version v
  cross join lateral jsonb_array_elements(
    case when jsonb_typeof(v.prizes) = 'array' then v.prizes else '[]' end) e`;

/** SQL: the number of records per prize and pool version, and the running total up to that version. */
const drawnByVersion = sql`
  select pool_id, prize_id, pool_version, min(id) as first_id, count(*) as drawn,
    sum(count(*)) over (partition by prize_id order by pool_version) as drawn_so_far
  from draw_record group by pool_id, prize_id, pool_version`;

/** Checks that `drawn` of a prize is the number of its records. */
export const selectMiscountedPrize = firstOffence("prize")`
  select z.id as place, jsonb_build_object('id', z.id) as ids,
    jsonb_build_object('drawn', coalesce(c.records, 0)) as expected,
    jsonb_build_object('drawn', z.drawn) as found
  from prize z
  left join (select prize_id, count(*) as records from draw_record group by prize_id) c
    on c.prize_id = z.id
  where z.drawn <> coalesce(c.records, 0)`;

/** Checks that no prize was drawn more often than its total. */
export const selectOverdrawnPrize = firstOffence("prize")`
  select z.id as place, jsonb_build_object('id', z.id) as ids,
    jsonb_build_object('drawn', 'at most ' || z.award_total) as expected,
    jsonb_build_object('drawn', c.records) as found
  from prize z
  join (select prize_id, count(*) as records from draw_record group by prize_id) c
    on c.prize_id = z.id
  where c.records > z.award_total`;

/**
 * Checks, for every pool version, that up to this version no prize was drawn more often than its total in this version.
 */
export const selectOverdrawnVersion = firstOffence("draw_record")`
  select d.first_id as place,
    jsonb_build_object('id', d.first_id, 'prize_id', d.prize_id, 'pool_id', d.pool_id,
      'pool_version', d.pool_version) as ids,
    jsonb_build_object('drawn', 'at most ' || t.total) as expected,
    jsonb_build_object('drawn', d.drawn_so_far) as found
  from (${drawnByVersion}) d
  join (${totalsOfVersions}) t
    on t.pool_id = d.pool_id and t.version = d.pool_version and t.prize_id = d.prize_id::text
  where d.drawn_so_far > t.total`;

/**
 * Checks every prize that a record lists as exhausted: up to the record's pool version, all pieces must have been
 * drawn. Reports the first prize that was not exhausted.
 */
export const selectFalselyExhausted = firstOffence("draw_record")`
  with drawn as (${drawnByVersion}),
  listed as (
    select r.pool_id, r.pool_version, gone.prize_id, min(r.id) as first_id
    from draw_record r cross join unnest(r.exhausted) as gone (prize_id)
    group by r.pool_id, r.pool_version, gone.prize_id
  ),
  counted as (
    select l.*, coalesce(sum(d.drawn), 0) as drawn
    from listed l
    left join drawn d on d.prize_id = l.prize_id and d.pool_version <= l.pool_version
    group by l.pool_id, l.pool_version, l.prize_id, l.first_id
  )
  select c.first_id as place,
    jsonb_build_object('id', c.first_id, 'prize_id', c.prize_id, 'pool_id', c.pool_id,
      'pool_version', c.pool_version) as ids,
    jsonb_build_object('drawn', t.total) as expected,
    jsonb_build_object('drawn', c.drawn) as found
  from counted c
  join (${totalsOfVersions}) t
    on t.pool_id = c.pool_id and t.version = c.pool_version and t.prize_id = c.prize_id::text
  where c.drawn <> t.total`;
