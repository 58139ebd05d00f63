/**
 * The one table of errors. A key is thrown as AppError, mapped from a database constraint, and answered as
 * `code` and `key` in the envelope (operator calls) or as HTTP status and `code` in a problem document
 * (platform calls). A key without its text in both catalogues does not compile (texts-zh.ts, texts-en.ts).
 */
import type { Envelope, FieldFault } from "./envelope.ts";

interface ErrorKind {
  readonly code: number;
  /** HTTP status of a platform call; operator calls answer 200 (behaviour §1). */
  readonly status: number;
  /** The input field at fault, which a form marks (behaviour §1). */
  readonly field?: string;
}

export const ERRORS = {
  bad_input: { code: 400, status: 400 },
  not_permitted: { code: 403, status: 403 },
  not_found: { code: 404, status: 404 },
  request_unreadable: { code: 400, status: 400 },
  request_timeout: { code: 408, status: 408 },
  body_too_large: { code: 413, status: 413 },
  head_too_large: { code: 431, status: 431 },
  upload_too_large: { code: 400, status: 400 },
  upload_type: { code: 400, status: 400 },
  upload_not_as_named: { code: 400, status: 400 },
  upload_missing: { code: 400, status: 400 },
  upload_many: { code: 400, status: 400 },
  upload_encoding: { code: 400, status: 400 },
  upload_encrypted: { code: 400, status: 400 },
  upload_broken: { code: 400, status: 400 },
  upload_too_complex: { code: 400, status: 400 },
  upload_too_many_rows: { code: 400, status: 400 },
  upload_empty: { code: 400, status: 400 },
  import_failed: { code: 400, status: 400 },
  body_encoded: { code: 415, status: 415 },
  json_wanted: { code: 415, status: 415 },
  too_many_requests: { code: 429, status: 429 },
  internal: { code: 500, status: 500 },
  unavailable: { code: 503, status: 503 },
  disk_full: { code: 503, status: 503 },

  login_wrong: { code: 1001, status: 401 },
  login_locked: { code: 1002, status: 429 },
  login_codes_locked: { code: 1002, status: 429 },
  signed_out: { code: 401, status: 401 },
  token_unknown: { code: 401, status: 401 },
  session_expired: { code: 50014, status: 401 },
  session_ended: { code: 50012, status: 401 },
  token_malformed: { code: 50008, status: 401 },
  request_token_wrong: { code: 403, status: 403 },
  ticket_spent: { code: 403, status: 403 },

  operator_not_found: { code: 404, status: 404 },
  operator_name_taken: { code: 409, status: 409, field: "name" },
  own_account: { code: 409, status: 409 },
  last_administrator: { code: 409, status: 409 },
  session_not_found: { code: 404, status: 404 },
  password_wrong: { code: 400, status: 400, field: "current" },
  password_easy: { code: 400, status: 400, field: "password" },
  seed_not_shown: { code: 409, status: 409 },
  seed_code_wrong: { code: 400, status: 400, field: "code" },
  key_not_found: { code: 404, status: 404 },
  key_not_rotating: { code: 409, status: 409 },
  stale_version: { code: 409, status: 409 },
  stale_plan: { code: 409, status: 409 },
  stale_list: { code: 409, status: 409 },
  proof_needed: { code: 409, status: 409 },
  only_valued: { code: 409, status: 409 },
  approval_waits: { code: 202, status: 202 },
  approval_not_found: { code: 404, status: 404 },
  approval_decided: { code: 409, status: 409 },
  approval_own: { code: 409, status: 409 },
  approval_fresh: { code: 409, status: 409 },
  approval_expired: { code: 409, status: 409 },
  approval_differs: { code: 409, status: 409 },
  approval_maker_disabled: { code: 409, status: 409 },
  approval_nobody: { code: 409, status: 409 },
  approval_many: { code: 409, status: 409 },
  approval_not_two: { code: 409, status: 409 },
  activity_not_found: { code: 404, status: 404 },
  activity_name_taken: { code: 409, status: 409, field: "rounds_name" },
  activity_running: { code: 409, status: 409 },
  activity_out_of_dates: { code: 400, status: 400 },
  pool_not_found: { code: 404, status: 404, field: "pool_name" },
  pool_name_taken: { code: 409, status: 409, field: "pool_name" },
  pool_in_use: { code: 409, status: 409 },
  pool_version_not_found: { code: 404, status: 404 },
  pool_save_conflict: { code: 409, status: 409 },
  setting_not_found: { code: 404, status: 404 },
  setting_wrong: { code: 400, status: 400, field: "value" },
  prize_not_found: { code: 404, status: 404 },
  prize_name_taken: { code: 409, status: 409, field: "award_name" },
  prize_total_below_drawn: { code: 409, status: 409, field: "award_total" },
  weight_sum_too_large: { code: 400, status: 400, field: "weight" },
  prize_pool_differs: { code: 400, status: 400, field: "pool_name" },
  award_total_too_large: { code: 400, status: 400, field: "add" },
  tag_unknown: { code: 400, status: 400, field: "tag" },
  tag_taken: { code: 409, status: 409, field: "tag" },
  tag_not_found: { code: 404, status: 404 },
  red_code_taken: { code: 409, status: 409, field: "red_code" },
  red_code_not_found: { code: 404, status: 404 },
  view_name_taken: { code: 409, status: 409, field: "view_name" },
  views_too_many: { code: 409, status: 409 },
  view_not_found: { code: 404, status: 404 },
  end_after_start: { code: 400, status: 400 },
  condition_value_not_zero: { code: 400, status: 400, field: "condition_value" },
  condition_month_detached: { code: 409, status: 409, field: "achieve_start_time" },
  player_erased: { code: 409, status: 409, field: "user_name" },
  player_owed: { code: 409, status: 409, field: "user_name" },
  player_held: { code: 409, status: 409, field: "user_name" },
  player_unknown: { code: 404, status: 404, field: "user_name" },
  as_of_not_past: { code: 400, status: 400, field: "as_of" },
  as_of_before_round: { code: 404, status: 404, field: "as_of" },
  as_of_before_player: { code: 404, status: 404, field: "as_of" },
  reissue_none: { code: 409, status: 409 },
  record_not_refused: { code: 409, status: 409 },
  record_not_check: { code: 409, status: 409 },
  record_not_waiting: { code: 409, status: 409 },
  record_not_closable: { code: 409, status: 409 },
  record_not_found: { code: 404, status: 404 },
  job_not_found: { code: 404, status: 404 },
  job_nothing_failed: { code: 409, status: 409 },
  export_many: { code: 429, status: 429 },
  job_no_file: { code: 404, status: 404 },
  job_cut_off: { code: 503, status: 503 },

  signature_missing: { code: 401, status: 401 },
  signature_invalid: { code: 401, status: 401 },
  timestamp_out_of_range: { code: 401, status: 401 },
  nonce_seen: { code: 401, status: 401 },
  key_unknown: { code: 401, status: 401 },
  scope_missing: { code: 403, status: 403 },
  round_not_found: { code: 404, status: 404 },
  player_not_found: { code: 404, status: 404 },
  draw_not_found: { code: 404, status: 404 },
  receipt_not_ready: { code: 409, status: 409 },
  payout_not_found: { code: 404, status: 404 },
  round_not_active: { code: 409, status: 409 },
  draws_stopped: { code: 409, status: 409 },
  no_chance_left: { code: 409, status: 409 },
  limit_reached: { code: 409, status: 409 },
  sold_out: { code: 409, status: 409 },
  request_id_reused: { code: 409, status: 409 },
  player_blocked: { code: 403, status: 403 },
  player_excluded: { code: 403, status: 403 },
  exclusion_not_found: { code: 404, status: 404 },
  exclusion_ended: { code: 409, status: 409 },
  exclusions_none: { code: 409, status: 409 },
  extra_time_not_found: { code: 404, status: 404 },
  extra_time_used: { code: 409, status: 409 },
  overloaded: { code: 429, status: 429 },
  streams_many: { code: 429, status: 429 },
  sheet_changed: { code: 409, status: 409 },
  sheet_round_runs: { code: 409, status: 409 },
  sheet_unsettled: { code: 409, status: 409 },
  sheet_differs: { code: 409, status: 409 },
  sheet_not_reconciled: { code: 409, status: 409 },
  sheet_own_reissue: { code: 409, status: 409 },
  sheet_own_close: { code: 409, status: 409 },
  sheet_own_grant: { code: 409, status: 409 },
  sheet_own_repair: { code: 409, status: 409 },
  reconciliation_runs: { code: 409, status: 409 },
  statement_not_offered: { code: 409, status: 409 },
  statement_unreadable: { code: 409, status: 409 },
  wallet_not_configured: { code: 409, status: 409 },
  break_not_found: { code: 404, status: 404 },
  break_ended: { code: 409, status: 409 },
  break_not_adoptable: { code: 409, status: 409 },
  payout_result_mismatch: { code: 409, status: 409 },
  webhook_message_not_found: { code: 404, status: 404 },
  webhook_not_set: { code: 409, status: 409 },
} as const satisfies Record<string, ErrorKind>;

export type ErrorKey = keyof typeof ERRORS;

/** The envelope of a refused call: texts are for people, the key is for programs. */
export interface RefusalEnvelope extends Envelope {
  readonly key: ErrorKey;
}

/** The `code` of a problem document: why a platform call may be refused. */
export const PROBLEM_CODES = [
  "bad_input",
  "signature_missing",
  "signature_invalid",
  "timestamp_out_of_range",
  "nonce_seen",
  "key_unknown",
  "scope_missing",
  "player_blocked",
  "player_excluded",
  "not_found",
  "round_not_found",
  "player_not_found",
  "draw_not_found",
  "payout_not_found",
  "round_not_active",
  "draws_stopped",
  "no_chance_left",
  "limit_reached",
  "sold_out",
  "request_id_reused",
  "receipt_not_ready",
  "payout_result_mismatch",
  "request_unreadable",
  "request_timeout",
  "body_too_large",
  "body_encoded",
  "head_too_large",
  "too_many_requests",
  "overloaded",
  "internal",
  "unavailable",
] as const satisfies readonly ErrorKey[];

/** `ERRORS[key]`, typed with the optional fields. */
export function errorKind(key: ErrorKey): ErrorKind {
  return ERRORS[key];
}

/** Values put into a text's `{placeholders}`; one in both languages is said in the text's. */
export type TextValues = Readonly<
  Record<string, string | number | { readonly zh: string; readonly en: string }>
>;

/**
 * An error that a caller may see: a key of the table, values for its text, and faults by field.
 * Anything else that is thrown is a defect and answers `internal`.
 */
export class AppError extends Error {
  readonly key: ErrorKey;
  readonly values: TextValues;
  /** Becomes `data` of the envelope. */
  readonly data: Readonly<Record<string, unknown>> | null;

  constructor(
    key: ErrorKey,
    values: TextValues = {},
    data: Readonly<Record<string, unknown>> | null = null,
  ) {
    super(key);
    this.name = "AppError";
    this.key = key;
    this.values = values;
    this.data = data;
  }
}

/** The value, if there is one; else throws the error. */
export function found<T>(
  value: T | null | undefined,
  ...error: ConstructorParameters<typeof AppError>
): T {
  if (value === null || value === undefined) {
    throw new AppError(...error);
  }
  return value;
}

/** Bad input by field; the first fault is also the message (behaviour §1). */
export function badInput(faults: readonly [FieldFault, ...FieldFault[]]): AppError {
  return new AppError("bad_input", { first: faults[0].msg }, { errors: faults });
}
