/** Everything that a record refers to exists (behaviour §3). */
import { sql } from "kysely";
import type { Db } from "#platform/connection";
import { selectFirstOffence } from "#platform/snapshot";
import type { Offence } from "#platform/snapshot";

/** Player, prize, round, rule version and pool version. */
export async function selectDanglingRecord(snapshot: Db): Promise<Offence | null> {
  return await selectFirstOffence(
    snapshot,
    "draw_record",
    sql`
      select r.id as place, jsonb_build_object('id', r.id, 'rounds_id', r.rounds_id) as ids,
        jsonb_build_object('player_key', r.player_key, 'prize_id', r.prize_id,
          'rounds_id', r.rounds_id, 'rule_version', r.rule_version,
          'pool_version', r.pool_version) as expected,
        jsonb_build_object('player_key', p.player_key, 'prize_id', z.id,
          'rounds_id', a.id, 'rule_version', u.version, 'pool_version', v.version) as found
      from draw_record r
      left join player p on p.player_key = r.player_key
      left join prize z on z.id = r.prize_id and z.pool_id = r.pool_id
      left join activity a on a.id = r.rounds_id
      left join activity_rule u on u.rounds_id = r.rounds_id and u.version = r.rule_version
      left join pool_version v on v.pool_id = r.pool_id and v.version = r.pool_version
      where p.player_key is null or z.id is null or a.id is null or u.version is null
        or v.version is null`,
  );
}
