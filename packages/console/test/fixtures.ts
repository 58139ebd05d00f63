/** A round and a prize, as lists return them; tests override fields. */
import type { ListedActivity } from "@red/contract/activity";
import type { Prize } from "@red/contract/prize";

/** A draw per full 120 of deposits, on the evening of one day. */
export const ROUND: ListedActivity = {
  id: 41,
  act_id: 41,
  version: 3,
  rounds_name: "周末红包A",
  tag: "weekend",
  red_code: "RED_PACKET",
  pool_name: "周末池",
  condition_name: "2",
  condition_formula: "1",
  condition_type: "2",
  condition_value: "120.00",
  condition_times: 1,
  turnover: 3,
  achieve_start_time: "2026-11-20 00:00:00",
  achieve_end_time: "2026-11-20 23:59:59",
  start_time: "2026-11-20 20:00:00",
  end_time: "2026-11-20 22:00:00",
  rounds_status: 1,
  draws_max: null,
  day_draws_max: null,
  platforms: null,
  pool_gate: null,
};

export const PRIZE: Prize = {
  id: 3,
  version: 1,
  pool_name: "周末池",
  award_name: "小红包",
  award_price: "1.00",
  weight: 2,
  award_total: 10,
  drawn: 0,
  remaining: 10,
  floors: 1,
};
