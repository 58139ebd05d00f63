/** Extra times and the records that used them refer to each other (behaviour §4). */
import { sql } from "kysely";
import type { Db } from "#platform/connection";
import { selectFirstOffence } from "#platform/snapshot";
import type { Offence } from "#platform/snapshot";

/** The extra time that a record used names that record. */
export async function selectUnmarkedExtraTime(snapshot: Db): Promise<Offence | null> {
  return await selectFirstOffence(
    snapshot,
    "extra_time",
    sql`
      select r.id as place, jsonb_build_object('id', r.extra_time_id) as ids,
        jsonb_build_object('used_log_id', r.id, 'used_rounds_id', r.rounds_id) as expected,
        case when e.id is not null then jsonb_build_object('used_log_id', e.used_log_id,
          'used_rounds_id', e.used_rounds_id) end as found
      from draw_record r
      left join extra_time e on e.id = r.extra_time_id
      where r.extra_time_id is not null
        and (e.used_log_id is distinct from r.id or e.used_rounds_id is distinct from r.rounds_id)`,
  );
}

/** An extra time was used by its player, in a round of its group, no later than its last second. */
export async function selectMisusedExtraTime(snapshot: Db): Promise<Offence | null> {
  return await selectFirstOffence(
    snapshot,
    "extra_time",
    sql`
      select e.id as place, jsonb_build_object('id', e.id) as ids,
        jsonb_build_object('used_log_id', r.id, 'record.extra_time_id', e.id,
          'player_key', r.player_key, 'tag', u.rule ->> 'tag', 'is_in_time', true) as expected,
        jsonb_build_object('used_log_id', e.used_log_id, 'record.extra_time_id', r.extra_time_id,
          'player_key', e.player_key, 'tag', e.tag,
          'is_in_time', r.created_at < e.expire_time + interval '1 second') as found
      from extra_time e
      left join draw_record r on r.id = e.used_log_id and r.rounds_id = e.used_rounds_id
      left join activity_rule u on u.rounds_id = r.rounds_id and u.version = r.rule_version
      where (e.used_log_id is not null or e.used_rounds_id is not null)
        and (r.id is null or r.extra_time_id is distinct from e.id
          or r.player_key <> e.player_key or u.rule ->> 'tag' is distinct from e.tag
          or r.created_at >= e.expire_time + interval '1 second')`,
  );
}
