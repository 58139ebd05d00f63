/**
 * Responses of the server: the operator, and a round, a prize and a draw as lists contain them. Tests override single
 * fields.
 */
import type { ListedActivity } from "@red/contract/rounds/activity";
import type { PlayerHead } from "@red/contract/chances/player-view";
import type { Prize } from "@red/contract/pools/prize";
import type { DrawRecord } from "@red/contract/records/record";
import type { UserInfo } from "@red/contract/identity/session";

export const OPERATOR: UserInfo = {
  name: "operator",
  roles: ["admin"],
  permissions: [],
  avatar: "",
  introduction: "",
  request_token: "r1",
  time_zone: "Asia/Shanghai",
  red_code_default: "RED_PACKET",
  demo: false,
  wallet: "demo",
  wrong_codes: 0,
};

/** This round gives one draw for each full 120 of deposits, on the evening of one day. */
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

export const RECORD: DrawRecord = {
  log_id: 7,
  player_id: "p-1",
  user_name: "player7",
  award_name: "1.50元红包",
  award_price: "1.50",
  type: "virtual",
  award_status: 0,
  payout_state: "refused",
  fail_reason: null,
  check_reason: null,
  note: null,
  rounds_id: 41,
  rounds_name: "周末红包A",
  trans_sn: "RP1",
  turnover: 1,
  created_at: "2026-11-20 20:00:00",
  paid_at: null,
  unknown_since: null,
  held: false,
  wallet_ref: null,
  attempts: 0,
  draw_no: 1,
  extra_time_id: null,
  rule_version: 1,
  pool_version: 1,
  ticket: 0,
  fallback_ticket: null,
  exhausted: [],
};

export const DELIVERY: DrawRecord = {
  ...RECORD,
  log_id: 8,
  award_name: "保温杯",
  award_price: "0.00",
  type: "physical",
  payout_state: "waiting_delivery",
};

export const HEAD: PlayerHead = {
  player_id: "p-1",
  user_name: "anna",
  blocked: false,
  erased: false,
  blocked_since: null,
  exclusions: [],
  left_times: 0,
  draws: 0,
  rounds: [],
  payouts: [],
  payouts_stopped_since: null,
};
