/** Row types of the tables that migrations/*.sql create. */
import type { EventKind } from "@red/contract/events/event";
import type {
  CheckReason,
  ConditionFormula,
  ConditionName,
  ConditionType,
  ContestedState,
  ExclusionKind,
  PayoutState,
  PlatformCode,
} from "@red/contract/platform/codes";
import type { BreakEnd, BreakKind } from "@red/contract/finance/reconciliation";
import type { StopName } from "@red/contract/stops/stop-switch";
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType, Selectable } from "kysely";
import type { OtherTables } from "./schema-others.ts";

/** The database's clock sets this time if no value is given. */
type Stamp = ColumnType<Date, Date | undefined, Date>;

export type VersionPrize = Readonly<
  Omit<Selectable<Database["prize"]>, "pool_id" | "drawn" | "version" | "deleted_at">
>;

export interface Database extends OtherTables {
  installation: {
    name: string;
    value: string;
  };
  activity_tag: {
    tag: string;
    label: string;
  };
  message_code: {
    red_code: string;
    label: string;
  };
  pool: {
    id: GeneratedAlways<number>;
    pool_name: string;
    version: Generated<number>;
    created_at: Stamp;
    deleted_at: Date | null;
  };
  pool_version: {
    pool_id: number;
    version: number;
    prizes: JSONColumnType<VersionPrize[], string, string>;
    created_at: Stamp;
    saved_by: string | null;
  };
  prize: {
    id: GeneratedAlways<number>;
    pool_id: number;
    award_name: string;
    award_price_cents: number;
    weight: number;
    award_total: number;
    drawn: Generated<number>;
    floors: boolean;
    version: Generated<number>;
    deleted_at: Date | null;
  };
  activity: {
    id: GeneratedAlways<number>;
    rounds_name: string;
    tag: string;
    red_code: string;
    pool_id: number;
    condition_name: ConditionName;
    condition_formula: ConditionFormula | "0";
    condition_type: ConditionType | "0";
    condition_value_cents: number;
    condition_times: number;
    turnover: number;
    achieve_start_time: Date;
    achieve_end_time: Date;
    start_time: Date;
    end_time: Date;
    start_date: string;
    rounds_status: Generated<0 | 1>;
    draws_max: number | null;
    day_draws_max: number | null;
    platforms: PlatformCode[] | null;
    version: Generated<number>;
    created_at: Stamp;
    deleted_at: Date | null;
  };
  activity_rule: {
    rounds_id: number;
    version: number;
    rule: JSONColumnType<object, string, string>;
    created_at: Stamp;
  };
  /** A row exists only while the stop is active. */
  stop_switch: {
    name: StopName;
    pool_id: number | null;
    stopped_at: Stamp;
    stopped_by: string;
    reason: string | null;
  };
  player: {
    player_key: GeneratedAlways<number>;
    player_id: string;
    user_name: string;
    user_name_key: GeneratedAlways<string>;
    blocked: Generated<boolean>;
    blocked_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
    version: Generated<number>;
    draw_version: Generated<number>;
    /** Number of the player's current name. A trigger increases it. */
    name_no: GeneratedAlways<number>;
    /** The driver returns `infinity` as a number, so compare this column in SQL. */
    excluded_until: ColumnType<Date | number | null, Date | null | undefined, Date | null>;
    erased_at: ColumnType<Date | null, never, Date | null>;
    created_at: Stamp;
  };
  former_name: {
    player_key: number;
    no: number;
    user_name: string;
    user_name_key: GeneratedAlways<string>;
    from_at: Date;
    to_at: Stamp;
  };
  deposit: {
    id: number;
    order_no: string;
    player_key: number;
    amount_cents: number;
    channel: number;
    client: number;
    created_at: Date;
    reversed_at: Date | null;
    reversal_reason: string | null;
    received_at: Generated<Date | null>;
  };
  bet: {
    id: number;
    bet_no: string;
    player_key: number;
    valid_bet_cents: number;
    platform: number;
    created_at: Date;
    voided_at: Date | null;
    void_reason: string | null;
    received_at: Generated<Date | null>;
  };
  rollup: {
    list: string;
    width: number;
    start: number;
    a: number;
    b: number;
    n: number;
    cents: number;
  };
  rollup_delta: {
    list: string;
    minute: number;
    a: number;
    b: number;
    n: number;
    cents: number;
  };
  event_chunk: {
    kind: EventKind;
    player_key: number;
    value_cents: number;
    from_at: Date;
    to_at: Date;
    live: number;
    live_cents: number;
    max_cents: number;
    fulls: number;
    gone: number;
    gone_cents: number;
    platforms: Generated<number[]>;
  };
  exclusion: {
    id: GeneratedAlways<number>;
    player_key: number;
    kind: ExclusionKind;
    reason: string;
    source: "operator" | "file";
    /** The exclusion includes this second. Null means no end. */
    until: Date | null;
    made_by: string;
    made_at: Stamp;
    lifted_by: string | null;
    lifted_at: Date | null;
    lift_reason: string | null;
  };
  extra_time: {
    id: GeneratedAlways<number>;
    player_key: number;
    tag: string;
    expire_time: Date;
    granted_by: string;
    created_at: Stamp;
    used_log_id: number | null;
    used_rounds_id: number | null;
    batch_id: number | null;
  };
  extra_time_taken_back: {
    id: number;
    player_key: number;
    tag: string;
    expire_time: Date;
    granted_by: string;
    created_at: Date;
    batch_id: number | null;
    taken_back_at: Date;
    taken_back_by: string;
    reason: string;
  };
  drawn_prize: {
    id: GeneratedAlways<number>;
    rounds_id: number;
    award_name: string;
    award_price_cents: number;
  };
  draw_record: {
    id: number;
    rounds_id: number;
    player_key: number;
    draw_no: number;
    prize_id: number;
    award_name: string;
    award_price_cents: number;
    turnover: number;
    rule_version: number;
    pool_id: number;
    pool_version: number;
    ticket: number;
    fallback_ticket: number | null;
    exhausted: number[];
    extra_time_id: number | null;
    created_at: Date;
  };
  draw_request: {
    key: string;
    request_id: string;
    body_hash: Buffer;
    log_id: number;
    rounds_id: number;
  };
  payout: {
    log_id: number;
    rounds_id: number;
    player_key: number;
    trans_sn: string;
    /** Prize name of the record. Null in payouts that ended before payouts stored the name. */
    award_name: string | null;
    amount_cents: number;
    turnover: number;
    red_code: string;
    state: PayoutState;
    attempts: Generated<number>;
    next_at: Stamp;
    lease_until: Date | null;
    fence: Generated<number>;
    unknown_since: Date | null;
    asked: Generated<number>;
    never_seen_at: Date | null;
    resent: Generated<number>;
    requested_by: string | null;
    first_sent_at: Date | null;
    check_reason: CheckReason | null;
    contested_state: Generated<ContestedState | null>;
    contested_check_reason: Generated<CheckReason | null>;
    fail_reason: string | null;
    wallet_ref: string | null;
    paid_at: Date | null;
    note: string | null;
    created_at: Date;
    updated_at: Stamp;
  };
  payout_attempt: {
    log_id: number;
    no: number;
    kind: "pay" | "query" | "callback" | "statement";
    operator: string | null;
    started_at: Stamp;
    duration_ms: number | null;
    outcome: Generated<string>;
    http_status: number | null;
    request: string | null;
    answer: string | null;
  };
  seal: {
    no: number;
    /** Select this column with a cast to text, because the driver returns the items of bigint arrays as texts. */
    log_ids: string[];
    rounds_ids: number[];
    hashes: Buffer;
    first_id: number;
    last_id: number;
    prev: Buffer;
    root: Buffer;
    hash: Buffer;
    sealed_at: Stamp;
  };
  audit_seal: Database["seal"];
  player_salt: {
    player_key: number;
    salt: Buffer;
  };
  erased_commitment: {
    player_key: number;
    rounds_id: number;
    commitment: Buffer;
  };
  reconciliation: {
    id: GeneratedAlways<number>;
    from_at: Date;
    to_at: Date;
    source: "call" | "file";
    file_name: string | null;
    made_by: string;
    made_at: Stamp;
    statement_count: Generated<number>;
    statement_cents: Generated<number>;
    matched: Generated<number>;
  };
  sheet_sign_off: {
    rounds_id: number;
    no: number;
    signed_by: string;
    signed_at: Stamp;
    hash: string;
    figures: JSONColumnType<object, string, string>;
    note: string | null;
    is_alone: Generated<boolean>;
  };
  wallet_entry: {
    trans_sn: string;
    occurrence: number;
    amount_cents: number;
    player_id: string;
    paid_at: Date;
    wallet_ref: string | null;
  };
  reconciliation_break: {
    id: GeneratedAlways<number>;
    reconciliation_id: number;
    kind: BreakKind;
    trans_sn: string;
    occurrence: number;
    log_id: number | null;
    rounds_id: number | null;
    our_state: PayoutState | null;
    our_amount_cents: number | null;
    our_player_id: string | null;
    their_amount_cents: number | null;
    their_player_id: string | null;
    their_paid_at: Date | null;
    end_kind: BreakEnd | null;
    ended_by: string | null;
    ended_at: Date | null;
    reason: string | null;
  };
  round_cut: {
    rounds_id: number;
    what: "requests" | "attempts" | "entries";
    below_id: Generated<number>;
    is_whole: Generated<boolean>;
    before_at: Date;
    listed_count: Generated<number>;
    listed_cents: Generated<bigint>;
  };
  detached_month: {
    kind: "deposit" | "bet";
    month: string;
    detached_at: Stamp;
  };
}
