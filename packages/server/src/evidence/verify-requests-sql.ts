/** Each record answers one request, and each kept request has its record (behaviour §5). */
import { sql } from "kysely";
import type { Db } from "#platform/connection";
import { selectFirstOffence } from "#platform/snapshot";
import type { Offence } from "#platform/snapshot";

/** A request's record exists, in the same round. */
export async function selectStrayRequest(snapshot: Db): Promise<Offence | null> {
  return await selectFirstOffence(
    snapshot,
    "draw_request",
    sql`
      select q.log_id as place,
        jsonb_build_object('key', q.key, 'request_id', q.request_id) as ids,
        jsonb_build_object('log_id', r.id, 'rounds_id', r.rounds_id) as expected,
        jsonb_build_object('log_id', q.log_id, 'rounds_id', q.rounds_id) as found
      from draw_request q
      left join draw_record r on r.id = q.log_id
      where r.rounds_id is distinct from q.rounds_id`,
  );
}

/** Except requests that were deleted by age. */
export async function selectRecordWithoutRequest(snapshot: Db): Promise<Offence | null> {
  return await selectFirstOffence(
    snapshot,
    "draw_record",
    sql`
      select r.id as place, jsonb_build_object('id', r.id, 'rounds_id', r.rounds_id) as ids,
        jsonb_build_object('requests', 1) as expected,
        jsonb_build_object('requests', coalesce(q.requests, 0)) as found
      from draw_record r
      left join (select log_id, count(*) as requests from draw_request group by log_id) q
        on q.log_id = r.id
      left join round_cut k on k.rounds_id = r.rounds_id and k.what = 'requests'
      where coalesce(q.requests, 0) <> 1 and r.id >= coalesce(k.below_id, 0)`,
  );
}
