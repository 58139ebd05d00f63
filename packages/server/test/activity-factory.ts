/** Valid bodies and rows of activities, pools and prizes; a test changes the values that it is about. */
import { activityUpdate } from "@red/contract/rounds/activity";
import type { activityCreate } from "@red/contract/rounds/activity";
import { prizeCreate } from "@red/contract/pools/prize";
import type { Actor } from "#platform/audit";
import type { Db } from "#platform/db/connection";
import * as z from "zod/mini";
import { auditsOf } from "#test/rows";

export const ZONE = "Asia/Shanghai";

export const OPERATOR: Actor = {
  kind: "operator",
  name: "root-op",
  request_id: "r-1",
  address: "192.0.2.7",
};

type ActivityBody = z.input<typeof activityCreate>;
type PrizeBody = z.input<typeof prizeCreate>;

/** The body of examples.md. */
export function activityBody(changes: Partial<ActivityBody> & { pool_name: string }): ActivityBody {
  return {
    rounds_name: "周末红包A",
    tag: "weekend",
    red_code: "RED_PACKET",
    condition_name: "2",
    condition_formula: "1",
    condition_type: "2",
    condition_value: "120",
    condition_times: 1,
    turnover: 3,
    achieve_start_time: "2026-11-20 00:00:00",
    achieve_end_time: "2026-11-20 23:59:59",
    start_time: "2026-11-20 20:00:00",
    end_time: "2026-11-20 22:00:00",
    ...changes,
  };
}

export function activityForm(changes: Parameters<typeof activityBody>[0]) {
  return z.parse(activityUpdate, activityBody(changes));
}

export function prizeBody(changes: Partial<PrizeBody> & { pool_name: string }): PrizeBody {
  return {
    award_name: "8.88元红包",
    award_price: "8.88",
    weight: 3000,
    award_total: 40,
    floors: 0,
    ...changes,
  };
}

export function prizeForm(changes: Parameters<typeof prizeBody>[0]) {
  return z.parse(prizeCreate, prizeBody(changes));
}

/** Audit rows, oldest first, without values that differ between runs. */
export async function selectAudits(db: Db, object_type: string, object_id: number) {
  const columns = ["actor", "action", "outcome", "before", "after"] as const;
  return await auditsOf(db, columns, { object_type, object_id: String(object_id) });
}

export async function selectPoolVersions(db: Db, pool_id: number) {
  return await db
    .selectFrom("pool_version")
    .select(["version", "prizes"])
    .where("pool_id", "=", pool_id)
    .orderBy("version")
    .execute();
}
