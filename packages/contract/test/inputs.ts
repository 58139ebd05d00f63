/** The fields of every call that writes, each with its kind, and a valid body. */
import { betRow, depositRow, playerRow, reversalRow, voidRow } from "@red/contract/events/ingest";
import { exclusionRow } from "@red/contract/players/exclusion";
import { poolSaveRow } from "@red/contract/pools/pool";
import { drawRequest } from "@red/contract/draws/draw";
import type * as z from "zod/mini";
import {
  accounts,
  amount,
  anId,
  BILLION,
  codes,
  countOrNone,
  dateTime,
  decimal,
  downloadPath,
  expiries,
  external,
  filters,
  flag,
  hash,
  ids,
  instant,
  keyed,
  named,
  note,
  nothing,
  nullableNote,
  oneOf,
  optional,
  optionalId,
  passing,
  password,
  rows,
  some,
  trimmed,
  whole,
  YEARS,
} from "./kinds.ts";
import type { Kind } from "./kinds.ts";

export type Fields = Readonly<Record<string, Kind>>;

const HOUR: Kind = {
  good: [undefined, "00:00", "23:59:59"],
  bad: [
    [null, "not_a_time_of_day"],
    ["24:00", "not_a_time_of_day"],
    ["9:00", "not_a_time_of_day"],
  ],
};

const ACTIVITY: Fields = {
  rounds_name: named("enter_rounds_name"),
  tag: trimmed(64, "enter_tag"),
  red_code: named("enter_red_code"),
  pool_name: trimmed(64, "choose_pool"),
  condition_name: codes([0, 1, 2, 3], "choose_condition"),
  condition_formula: codes([1, 3], "choose_condition", "choose_condition"),
  condition_type: codes([1, 2], "choose_condition_type", "choose_condition_type"),
  condition_value: amount("enter_condition_value"),
  condition_times: whole(1, 5, "choose_condition_times"),
  turnover: whole(1, 10, "choose_turnover"),
  achieve_start_time: dateTime("choose_date_time", "1970-01-02 00:00:00", "2026-11-20 23:59:59"),
  achieve_end_time: dateTime("choose_date_time", "2026-11-20 00:00:00", "9998-12-31 23:59:59"),
  start_time: dateTime("choose_date_time", "2000-02-29 00:00:00", "2026-11-20 22:00:00"),
  end_time: dateTime("choose_date_time", "2026-11-20 20:00:00", "2400-02-29 23:59:59"),
  draws_max: countOrNone(1_000_000),
  day_draws_max: countOrNone(1_000_000),
  // These values mean all platforms. Any other list needs a rule over bets.
  platforms: {
    good: [undefined, null, "", [], [1234, "2234", 3234, 5234, 6234, 7234]],
    bad: [
      [[1], "not_in_set"],
      [1234, "not_in_set"],
      [[1234], "platforms_bets_only"],
    ],
  },
};
export const ACTIVITY_BODY = {
  rounds_name: "周末红包A",
  tag: "weekend",
  red_code: "RED_PACKET",
  pool_name: "周末池",
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
};
const NEW_ACTIVITY = {
  ...ACTIVITY,
  rounds_status: optional(codes([1], "status_on_create", "status_on_create")),
};
const GUARDED = { id: optionalId, version: optionalId };
const SAVED_ACTIVITY = { ...ACTIVITY, ...GUARDED, act_id: optionalId };

const POOL = { pool_name: named("enter_pool_name") };
const PRIZE = {
  ...POOL,
  award_name: named("enter_award_name"),
  weight: whole(0, BILLION, "enter_weight"),
  award_total: whole(0, BILLION, "enter_award_total"),
  award_price: amount("enter_award_price"),
  floors: codes([0, 1], "choose_floors"),
};
const PRIZE_BODY = {
  pool_name: "周末池",
  award_name: "8.88元红包",
  weight: 3000,
  award_total: 40,
  award_price: "8.88",
  floors: 0,
};
const SAVED_PRIZE = { ...PRIZE, ...GUARDED };
const { pool_name: _pool, ...GRID_PRIZE } = PRIZE;
const { pool_name: _name, ...GRID_BODY } = PRIZE_BODY;
const TOO_MANY = Array.from({ length: 1001 }, () => GRID_BODY);

const LABEL = { label: named("enter_label") };
const RECORDS = ids("choose_records");

const GRANT = {
  tag: trimmed(64, "enter_times_group"),
  expire_time: dateTime("choose_expiry", "9998-12-31 23:59:59"),
};
const GRANT_BODY = { tag: "weekend", expire_time: "2026-11-20 20:00:00" };
const EXCLUDED = { user_name: "u", kind: "risk", reason: "r", until: null };
const excluded: Kind = {
  // Only a cooling-off needs an end.
  good: [["self", "risk", "staff"].map((kind) => ({ ...EXCLUDED, kind }))],
  bad: [
    [undefined, "enter_account"],
    [[], "enter_account"],
    [Array.from({ length: 10_001 }, () => EXCLUDED), "too_many", { max: 10_000 }],
  ],
};
const STOP = [{ reason: nullableNote }, {}] as const;
const POOL_CALL = [POOL, { pool_name: "pool" }] as const;
const LABEL_CALL = [LABEL, { label: "组" }] as const;
const ID_CALL = [{ id: anId }, { id: 1 }] as const;

/** Fields and a valid body, by the name of the call. */
export const BODIES: Readonly<Record<string, readonly [Fields, object]>> = {
  "session.login": [
    {
      username: optional(trimmed(128, "enter_username")),
      name: optional(trimmed(128, "enter_username")),
      password: password,
      pid: optional(codes([2], "not_in_set")),
      code: passing,
      secret: passing,
    },
    { username: "u", name: "u", password: "p" },
  ],
  "savedView.save": [
    {
      page: keyed("enter_view_page", "a_B-1"),
      view_name: named("enter_view_name"),
      search: trimmed(2_000, "enter_view_search"),
    },
    { page: "record", view_name: "视图", search: "?award_status=2" },
  ],
  "ticket.create": [
    { path: downloadPath, query: filters },
    { path: "/a", query: {} },
  ],
  "activity.create": [NEW_ACTIVITY, ACTIVITY_BODY],
  "activity.update": [SAVED_ACTIVITY, ACTIVITY_BODY],
  "activity.pause": [{ id: optionalId, rounds_status: codes([0, 1]) }, { rounds_status: 1 }],
  "activity.copy": [
    {
      start_date: {
        good: ["1970-01-03", "9998-12-29"],
        bad: [
          ...nothing("choose_copy_date"),
          ["2026-02-30", "not_a_date"],
          ["9999-01-01", "year_out_of_range", YEARS],
        ],
      },
      pool_name: optional(named("enter_pool_name"), null),
      rounds_name: optional(named("enter_rounds_name"), null),
      start_hour: HOUR,
      end_hour: HOUR,
    },
    { start_date: "2026-11-27" },
  ],
  ...Object.fromEntries(
    ["Draws", "Payouts", "Everything", "Pool"].map((what) => [`stopSwitch.stop${what}`, STOP]),
  ),
  "tag.create": [
    { ...LABEL, tag: keyed("enter_tag", "a_B-1") },
    { tag: "t", label: "组" },
  ],
  "tag.rename": LABEL_CALL,
  "redCode.create": [
    { ...LABEL, red_code: keyed("enter_red_code", "A.b:c-1_2") },
    { red_code: "R", label: "信" },
  ],
  "redCode.rename": LABEL_CALL,
  "pool.create": POOL_CALL,
  "pool.rename": POOL_CALL,
  "pool.copy": POOL_CALL,
  "pool.save": [
    {
      ...POOL,
      is_new: { good: [undefined, true], bad: [[1, "not_in_set"]] },
      rows: {
        good: [[], [{ ...GRID_BODY, id: 1, version: 2 }]],
        bad: [
          [undefined, "required"],
          [TOO_MANY, "too_many", { max: 1000 }],
        ],
      },
      removed: { good: [undefined, []], bad: [[[{ id: 1 }], "required", {}, "0.version"]] },
    },
    { pool_name: "周末池", rows: [] },
  ],
  "pool.restore": [{ version: anId, current: optionalId }, { version: 1 }],
  "setting.save": [{ value: trimmed(64, "enter_setting_value") }, { value: "on" }],
  "prize.create": [PRIZE, PRIZE_BODY],
  "prize.update": [SAVED_PRIZE, PRIZE_BODY],
  "prize.addStock": [{ add: whole(1, BILLION) }, { add: 5 }],
  "record.reissue": [
    { log_ids: optional(RECORDS), log: optional(RECORDS) },
    { log_ids: [1], log: [1] },
  ],
  "record.ask": [{ log_ids: ids("choose_questions") }, { log_ids: [1] }],
  "record.deliver": [{ log_ids: ids("choose_deliveries"), note: nullableNote }, { log_ids: [1] }],
  "record.close": [
    { log_ids: ids("choose_closings"), reason: trimmed(200, "enter_close_reason") },
    { log_ids: [1], reason: "账户已注销" },
  ],
  "job.seen": [{ ids: ids("required") }, { ids: [1] }],
  "job.exportFile": [
    { path: oneOf("/gred/api/record/export", "/gred/api/userInfo/excel"), query: filters },
    { path: "/gred/api/record/export", query: {} },
  ],
  "reconciliation.run": [
    {
      from: dateTime("choose_date_time", "2024-03-01 00:00:00"),
      to: dateTime("choose_date_time", "9998-12-31 23:59:59"),
    },
    { from: "2024-03-01 00:00:00", to: "2024-03-31 23:59:59" },
  ],
  "reconciliation.mend": [
    {
      ids: ids("choose_breaks"),
      end: oneOf("adopted", "accepted"),
      reason: trimmed(200, "enter_mend_reason"),
    },
    { ids: [1], end: "accepted", reason: "退款已核对" },
  ],
  "month.sign": [
    {
      sheets: {
        good: [[{ rounds_id: 1, hash: "0".repeat(64) }]],
        bad: [[[], "choose_sheets"]],
      },
    },
    { sheets: [{ rounds_id: 1, hash: "0".repeat(64) }] },
  ],
  "sheet.sign": [{ hash: hash, note: nullableNote }, { hash: "0".repeat(64) }],
  "extraTimes.create": [
    { ...GRANT, user_name: trimmed(64, "enter_account") },
    { ...GRANT_BODY, user_name: "u" },
  ],
  "extraTimes.grant": [
    { ...GRANT, user_names: accounts, expire_times: expiries, plan: optional(external) },
    { ...GRANT_BODY, user_names: ["u"] },
  ],
  "extraTimes.takeBack": [
    {
      id: { ...optionalId, good: anId.good },
      // The call rejects `batch_id` together with an id.
      batch_id: { ...optionalId, good: [undefined] },
      reason: trimmed(200, "enter_reason"),
    },
    { id: 1, reason: "r" },
  ],
  "exclusion.create": [
    { rows: excluded, source: optional(oneOf("operator", "file")) },
    { rows: [EXCLUDED] },
  ],
  "webhook.redeliver": [{ ids: ids("choose_messages") }, { ids: [1] }],
  "erasure.erase": [{ user_name: trimmed(64, "enter_account") }, { user_name: "u" }],
  "exclusion.lift": [{ reason: trimmed(200, "enter_reason") }, { reason: "r" }],
  "own.bindSeed": [{ code: passing }, {}],
  "own.password": [
    { current: password, password },
    { current: "p", password: "q" },
  ],
  "own.endSessions": [{ session_id: optional(anId, null) }, {}],
  "operator.endSessions": [{ session_id: optional(anId, null) }, {}],
  "operator.create": [
    { name: trimmed(128, "enter_username"), roles: some("choose_roles", "risk") },
    { name: "n", roles: ["admin"] },
  ],
  "operator.roles": [{ roles: some("choose_roles", "risk") }, { roles: ["admin"] }],
  "apiKey.create": [
    { name: named("enter_key_name"), scopes: some("choose_scopes", "draw") },
    { name: "n", scopes: ["read"] },
  ],
  "approval.approve": [
    {
      ids: {
        good: [[1], Array.from({ length: 50 }, () => 1)],
        bad: [
          ...nothing("choose_approvals"),
          [[], "choose_approvals"],
          [Array.from({ length: 51 }, () => 1), "choose_approvals"],
        ],
      },
    },
    { ids: [1] },
  ],
  "approval.refuse": [{ reason: trimmed(200, "enter_reason") }, { reason: "r" }],
  "older.actAdd": [NEW_ACTIVITY, ACTIVITY_BODY],
  "older.actModify": [
    { ...SAVED_ACTIVITY, id: anId },
    { ...ACTIVITY_BODY, id: 1 },
  ],
  "older.actDelete": ID_CALL,
  "older.awardAdd": [PRIZE, PRIZE_BODY],
  "older.awardModify": [
    { ...SAVED_PRIZE, id: anId },
    { ...PRIZE_BODY, id: 1 },
  ],
  "older.awardDelete": ID_CALL,
  "older.addBonus": [
    { log_ids: optional(RECORDS), log: optional(RECORDS), id: optional(RECORDS, 7) },
    { log_ids: [1], log: [1], id: 1 },
  ],
  "ingest.players": [{ players: rows(5000) }, { players: [] }],
  "ingest.deposits": [{ deposits: rows(5000) }, { deposits: [] }],
  "ingest.bets": [{ bets: rows(5000) }, { bets: [] }],
  "ingest.reversals": [{ reversals: rows(5000) }, { reversals: [] }],
  "ingest.voids": [{ voids: rows(5000) }, { voids: [] }],
  "draw.draw": [
    { request_id: external, rounds_id: anId, player_id: external },
    { request_id: "r", rounds_id: 1, player_id: "p" },
  ],
  "draw.batch": [{ draws: rows(500) }, { draws: [] }],
  "payout.result": [
    {
      status: oneOf("paid", "refused"),
      amount: decimal("0.00"),
      reason: nullableNote,
      wallet_ref: optional(external, null),
    },
    { status: "paid", amount: "8.88" },
  ],
};

const EVENT = { player_id: external, user_name: trimmed(64, "required"), created_at: instant };
const TAKEN_BACK = { created_at: instant, reason: note };
const AT = "2024-05-10T04:00:00Z";
const PLAYED = { player_id: "p", user_name: "u", created_at: AT };

/** Rows of lists. The server parses each row alone. */
export const ROWS: Readonly<Record<string, readonly [z.ZodMiniType, Fields, object]>> = {
  poolSave: [poolSaveRow, { ...GRID_PRIZE, id: optionalId, version: optionalId }, GRID_BODY],
  player: [
    playerRow,
    { player_id: external, user_name: named("required"), blocked: flag },
    { player_id: "p", user_name: "u" },
  ],
  deposit: [
    depositRow,
    {
      ...EVENT,
      user_name: named("required"),
      order_no: external,
      amount: decimal("0.01"),
      channel: codes([1, 2, 3, 4, 5, 6, 7, 8, 9]),
      client: codes([1, 2, 3]),
    },
    { ...PLAYED, order_no: "d", amount: "1", channel: 1, client: 1 },
  ],
  bet: [
    betRow,
    {
      ...EVENT,
      user_name: named("required"),
      bet_no: external,
      valid_bet_amount: decimal("0.01"),
      platform: codes([1234, 2234, 3234, 5234, 6234, 7234]),
    },
    { ...PLAYED, bet_no: "b", valid_bet_amount: "1", platform: 1234 },
  ],
  reversal: [reversalRow, { ...TAKEN_BACK, order_no: external }, { order_no: "d", created_at: AT }],
  void: [voidRow, { ...TAKEN_BACK, bet_no: external }, { bet_no: "b", created_at: AT }],
  exclusion: [
    exclusionRow,
    {
      user_name: trimmed(64, "enter_account"),
      kind: {
        good: ["self", "cooling_off", "risk", "staff"],
        bad: [undefined, null, "", "Risk", 1].map((kind) => [kind, "choose_exclusion_kind"]),
      },
      reason: trimmed(200, "enter_reason"),
      until: optional(dateTime("not_a_date_time", "9998-12-31 23:59:59"), null),
      // The row must not have both `hours` and `until`.
      hours: { good: [undefined], bad: [[24, "until_or_hours"], ...optional(whole(1, 8_784)).bad] },
    },
    { ...EXCLUDED, until: "2026-11-20 20:00:00" },
  ],
  draw: [
    drawRequest,
    { request_id: external, rounds_id: anId, player_id: external },
    { request_id: "r", rounds_id: 1, player_id: "p" },
  ],
};

/** Parts of an address, with the same meaning in every call. */
export const PARTS: Fields = {
  id: anId,
  rounds_id: anId,
  request_id: external,
  player_id: external,
  trans_sn: external,
  key: external,
  tag: trimmed(64, "enter_tag"),
  red_code: trimmed(64, "enter_red_code"),
};
