/** Limits and defaults of spec §9 and behaviour §1, §12, shared by server and console. */

export const PAGE_SIZE_DEFAULT = 20;
export const PAGE_SIZES = [10, 20, 30, 50] as const;
/** Look-ups of pools, prizes and activities request all rows in one call (spec §9). */
export const LOOKUP_SIZE = 9999;
export const ACTIVITY_NAMES_SIZE = 99;
export const PAGE_SIZE_MAX = 1000;
export const PAGE_MAX = 1_000_000_000;

export const TURNOVER_MIN = 1;
export const TURNOVER_MAX = 10;
export const DRAW_COUNT_MIN = 1;
export const DRAW_COUNT_MAX = 5;

/** Largest value of a draw limit that a round sets for each player. */
export const DRAWS_LIMIT_MAX = 1_000_000;

export const NAME_LENGTH_MAX = 64;
export const AWARD_NAME_LENGTH_MAX = 64;
export const RED_CODE_LENGTH_MAX = 64;
export const EXTERNAL_ID_LENGTH_MAX = 64;
export const REASON_LENGTH_MAX = 200;

export const WEIGHT_MAX = 1_000_000_000;
export const AWARD_TOTAL_MAX = 1_000_000_000;
/** Largest sum of the weights of a pool for which the generator draws without bias (2^48 − 1). */
export const WEIGHT_SUM_MAX = 2 ** 48 - 1;

export const UPLOAD_BYTES_MAX = 1_048_576;
export const UPLOAD_TYPES = ["csv", "xlsx", "xls"] as const;
/**
 * Maximum number of rows in a prize file. PRIZE_FILE_POOLS_MAX limits the pools in the file, because an
 * import locks each pool and makes a version of it.
 */
export const PRIZE_FILE_ROWS_MAX = 10_000;
/** Maximum number of rows in a statement file. A longer time window needs several files. */
export const STATEMENT_FILE_ROWS_MAX = 20_000;
export const PRIZE_FILE_POOLS_MAX = 100;
/** Maximum number of rows of a pool saved as a grid. A larger pool needs a file. */
export const POOL_SAVE_ROWS_MAX = 1_000;
export const IDS_PER_CALL_MAX = 10_000;
/** The hours of a leap year. */
export const EXCLUSION_HOURS_MAX = 366 * 24;
export const EXTRA_TIMES_PER_CALL_MAX = 10_000;
/** A preview warns if the account got an extra time in the same group within this number of hours (behaviour §3). */
export const GRANTED_BEFORE_HOURS = 24;
export const INGEST_ROWS_MAX = 5_000;
export const INGEST_BYTES_MAX = 4 * 1024 * 1024;
/** Maximum number of concurrent ingest calls per server process. Above this limit the server returns 429. */
export const INGEST_AT_ONCE_MAX = 8;
export const DRAWS_PER_BATCH_MAX = 500;
/** Maximum number of rounds whose chances a platform may read in one call. */
export const ROUNDS_PER_CALL_MAX = 50;
/** Number of a player's draws in one response to a platform. */
export const PAGE_DRAWS_DEFAULT = 10;
export const PAGE_DRAWS_MAX = 100;
/** Number of checkpoints in one response, limited because each checkpoint costs a signature. */
export const CHECKPOINTS_DEFAULT = 100;
export const CHECKPOINTS_MAX = 500;
/** Maximum number of concurrent draws per server process. Above this limit the server returns 429. */
export const DRAWS_IN_FLIGHT_MAX = 8_192;

/** Sizes of the page frame from spec §9, in CSS pixels. */
export const MOBILE_BREAKPOINT = 992;
export const SIDEBAR_WIDTH = 210;
export const LOGIN_DIALOG_WIDTH = 330;
export const THEME_COLOUR = "#409EFF";
/** Presets of the settings panel; the panel accepts any other colour too. */
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

/** The code of the previous or the next step is also valid (behaviour §9). */
export const TOTP_STEP_SECONDS = 30;
/** Password length in characters. No other password rules exist, because only the length makes a password strong. */
export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;
export const LOGIN_FAILURES_MAX = 10;
export const LOGIN_WINDOW_MINUTES = 15;
/**
 * Maximum number of wrong one-time codes for an account in an hour. Counts only addresses from which nobody
 * has signed in to the account within 30 days.
 */
export const NEW_ADDRESS_CODES_MAX = 30;
