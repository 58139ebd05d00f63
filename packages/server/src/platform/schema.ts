/** Row types of the tables, as migrations/*.sql make them. */
import type { EventKind } from "@red/contract/explanation";
import type {
  CheckReason,
  ConditionFormula,
  ConditionName,
  ConditionType,
  ContestedState,
  PayoutState,
  PlatformCode,
} from "@red/contract/lookups";
import type { BreakEnd, BreakKind } from "@red/contract/reconciliation";
import type { StopName } from "@red/contract/stop-switch";
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType, Selectable } from "kysely";
import type {
  ApiKeyTable,
  ApprovalTable,
  AuditAboutTable,
  AuditLogTable,
  LoginFailureTable,
  OperatorTable,
  RecoveryCodeTable,
  SessionTable,
  TicketTable,
} from "./schema-identity.ts";
import type {
  DrawRefusalMinuteTable,
  JobRowTable,
  JobTable,
  WalletHealthTable,
  WalletPaceTable,
  WebhookMessageTable,
  WebhookTable,
  SavedViewTable,
  SettingTable,
} from "./schema-outside.ts";
import type {
  ErasedCommitmentTable,
  ExclusionTable,
  ExtraTimeTable,
  ExtraTimeTakenBackTable,
  PlayerSaltTable,
  PlayerTable,
} from "./schema-players.ts";

/** Written by the database's clock unless given. */
type Stamp = ColumnType<Date, Date | undefined, Date>;

interface InstallationTable {
  name: string;
  value: string;
}

interface ActivityTagTable {
  tag: string;
  label: string;
}

interface MessageCodeTable {
  red_code: string;
  label: string;
}

interface PoolTable {
  id: GeneratedAlways<number>;
  pool_name: string;
  version: Generated<number>;
  created_at: Stamp;
  deleted_at: Date | null;
}

/** A prize as a pool version keeps it. */
export type VersionPrize = Readonly<
  Omit<Selectable<PrizeTable>, "pool_id" | "drawn" | "version" | "deleted_at">
>;

interface PoolVersionTable {
  pool_id: number;
  version: number;
  prizes: JSONColumnType<VersionPrize[], string, string>;
  created_at: Stamp;
  saved_by: string | null;
}

interface PrizeTable {
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
}

interface ActivityTable {
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
}

interface ActivityRuleTable {
  rounds_id: number;
  version: number;
  rule: JSONColumnType<object, string, string>;
  created_at: Stamp;
}

/** A row means stopped. */
interface StopSwitchTable {
  name: StopName;
  pool_id: number | null;
  stopped_at: Stamp;
  stopped_by: string;
  reason: string | null;
}

interface DepositTable {
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
}

interface BetTable {
  id: number;
  bet_no: string;
  player_key: number;
  valid_bet_cents: number;
  platform: number;
  created_at: Date;
  voided_at: Date | null;
  void_reason: string | null;
  received_at: Generated<Date | null>;
}

interface RollupTable {
  list: string;
  width: number;
  start: number;
  a: number;
  b: number;
  n: number;
  cents: number;
}

interface RollupDeltaTable {
  list: string;
  minute: number;
  a: number;
  b: number;
  n: number;
  cents: number;
}

interface DrawnPrizeTable {
  id: GeneratedAlways<number>;
  rounds_id: number;
  award_name: string;
  award_price_cents: number;
}

interface EventChunkTable {
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
}

interface DrawRecordTable {
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
}

interface DrawRequestTable {
  key: string;
  request_id: string;
  body_hash: Buffer;
  log_id: number;
  rounds_id: number;
}

interface PayoutTable {
  log_id: number;
  rounds_id: number;
  player_key: number;
  trans_sn: string;
  /** Of the record; null in payouts that were done before they had it. */
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
}

interface PayoutAttemptTable {
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
}

interface SealTable {
  no: number;
  /** Read with a cast to text: the driver gives arrays of bigint as texts. */
  log_ids: string[];
  rounds_ids: number[];
  hashes: Buffer;
  first_id: number;
  last_id: number;
  prev: Buffer;
  root: Buffer;
  hash: Buffer;
  sealed_at: Stamp;
}

interface ReconciliationTable {
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
}

interface WalletEntryTable {
  trans_sn: string;
  occurrence: number;
  amount_cents: number;
  player_id: string;
  paid_at: Date;
  wallet_ref: string | null;
}

interface ReconciliationBreakTable {
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
}

interface SheetSignOffTable {
  rounds_id: number;
  no: number;
  signed_by: string;
  signed_at: Stamp;
  hash: string;
  figures: JSONColumnType<object, string, string>;
  note: string | null;
  is_alone: Generated<boolean>;
}

interface RoundCutTable {
  rounds_id: number;
  what: "requests" | "attempts" | "entries";
  below_id: Generated<number>;
  is_whole: Generated<boolean>;
  before_at: Date;
  listed_count: Generated<number>;
  listed_cents: Generated<bigint>;
}

interface DetachedMonthTable {
  kind: "deposit" | "bet";
  month: string;
  detached_at: Stamp;
}

export interface Database {
  operator: OperatorTable;
  login_failure: LoginFailureTable;
  session: SessionTable;
  ticket: TicketTable;
  recovery_code: RecoveryCodeTable;
  api_key: ApiKeyTable;
  audit_log: AuditLogTable;
  audit_about: AuditAboutTable;
  approval: ApprovalTable;
  saved_view: SavedViewTable;
  installation: InstallationTable;
  activity_tag: ActivityTagTable;
  message_code: MessageCodeTable;
  pool: PoolTable;
  pool_version: PoolVersionTable;
  setting: SettingTable;
  prize: PrizeTable;
  activity: ActivityTable;
  activity_rule: ActivityRuleTable;
  stop_switch: StopSwitchTable;
  player: PlayerTable;
  deposit: DepositTable;
  bet: BetTable;
  rollup: RollupTable;
  rollup_delta: RollupDeltaTable;
  event_chunk: EventChunkTable;
  exclusion: ExclusionTable;
  extra_time: ExtraTimeTable;
  extra_time_taken_back: ExtraTimeTakenBackTable;
  drawn_prize: DrawnPrizeTable;
  draw_record: DrawRecordTable;
  draw_request: DrawRequestTable;
  draw_refusal_minute: DrawRefusalMinuteTable;
  payout: PayoutTable;
  payout_attempt: PayoutAttemptTable;
  job: JobTable;
  job_row: JobRowTable;
  wallet_health: WalletHealthTable;
  wallet_pace: WalletPaceTable;
  seal: SealTable;
  audit_seal: SealTable;
  player_salt: PlayerSaltTable;
  erased_commitment: ErasedCommitmentTable;
  reconciliation: ReconciliationTable;
  sheet_sign_off: SheetSignOffTable;
  wallet_entry: WalletEntryTable;
  reconciliation_break: ReconciliationBreakTable;
  round_cut: RoundCutTable;
  detached_month: DetachedMonthTable;
  webhook: WebhookTable;
  webhook_message: WebhookMessageTable;
}
