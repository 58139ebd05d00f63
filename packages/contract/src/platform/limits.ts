/** Limits and defaults of spec §9 and behaviour §1, §12, shared by server and console. */

export const PAGE_SIZE_DEFAULT = 20;
export const PAGE_SIZES = [10, 20, 30, 50] as const;
/** Look-ups of pools, prizes and activities ask for all rows at once (spec §9). */
export const LOOKUP_SIZE = 9999;
export const ACTIVITY_NAMES_SIZE = 99;
export const PAGE_SIZE_MAX = 1000;
export const PAGE_MAX = 1_000_000_000;

export const TURNOVER_MIN = 1;
export const TURNOVER_MAX = 10;
export const DRAW_COUNT_MIN = 1;
export const DRAW_COUNT_MAX = 5;

/** Largest limit of a player's draws in a round or on a day. */
export const DRAWS_LIMIT_MAX = 1_000_000;

export const NAME_LENGTH_MAX = 64;
export const AWARD_NAME_LENGTH_MAX = 64;
export const RED_CODE_LENGTH_MAX = 64;
export const EXTERNAL_ID_LENGTH_MAX = 64;
export const REASON_LENGTH_MAX = 200;

export const WEIGHT_MAX = 1_000_000_000;
export const AWARD_TOTAL_MAX = 1_000_000_000;
/** Largest Σ weight of a pool from which the generator draws without bias (2^48 − 1). */
export const WEIGHT_SUM_MAX = 2 ** 48 - 1;

export const UPLOAD_BYTES_MAX = 1_048_576;
export const UPLOAD_TYPES = ["csv", "xlsx", "xls"] as const;
/** Rows of one prize file, and pools that it may name: each pool is locked and gets a version. */
export const PRIZE_FILE_ROWS_MAX = 10_000;
/** Rows of one statement file; a longer span comes in several files. */
export const STATEMENT_FILE_ROWS_MAX = 20_000;
export const PRIZE_FILE_POOLS_MAX = 100;
/** Rows of a pool saved as a grid; a larger one comes as a file. */
export const POOL_SAVE_ROWS_MAX = 1_000;
export const IDS_PER_CALL_MAX = 10_000;
/** A leap year. */
export const EXCLUSION_HOURS_MAX = 366 * 24;
export const EXTRA_TIMES_PER_CALL_MAX = 10_000;
/** A preview warns of an extra time granted to the account in the same group within these hours (behaviour §3). */
export const GRANTED_BEFORE_HOURS = 24;
export const INGEST_ROWS_MAX = 5_000;
export const INGEST_BYTES_MAX = 4 * 1024 * 1024;
/** Concurrent ingest calls per server process before it answers 429. */
export const INGEST_AT_ONCE_MAX = 8;
export const DRAWS_PER_BATCH_MAX = 500;
/** Rounds whose chances a platform may read in one call. */
export const ROUNDS_PER_CALL_MAX = 50;
/** A player's draws in one answer to a platform. */
export const PAGE_DRAWS_DEFAULT = 10;
export const PAGE_DRAWS_MAX = 100;
/** Checkpoints in one answer: each costs a signature. */
export const CHECKPOINTS_DEFAULT = 100;
export const CHECKPOINTS_MAX = 500;
/** Draws in flight per server process before it answers 429. */
export const DRAWS_IN_FLIGHT_MAX = 8_192;

/** Shell measures of spec §9, in CSS pixels. */
export const MOBILE_BREAKPOINT = 992;
export const SIDEBAR_WIDTH = 210;
export const LOGIN_DIALOG_WIDTH = 330;
export const THEME_COLOUR = "#409EFF";
/** Presets of the settings panel, which takes any other colour too. */
export const THEME_COLOURS = [
  THEME_COLOUR,
  "#1890ff",
  "#304156",
  "#212121",
  "#11a983",
  "#13c2c2",
  "#6959CD",
  "#f5222d",
] as const;
export const TOAST_MS = 5_000;

/** A code of the step before or after is accepted too (behaviour §9). */
export const TOTP_STEP_SECONDS = 30;
/** Of passwords, in characters; no rule of composition, length is what counts. */
export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;
export const LOGIN_FAILURES_MAX = 10;
export const LOGIN_WINDOW_MINUTES = 15;
/** Wrong one-time codes of an account in an hour, from addresses without a sign-in of it within 30 days. */
export const NEW_ADDRESS_CODES_MAX = 30;
