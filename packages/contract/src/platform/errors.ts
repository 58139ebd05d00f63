/**
 * Errors that a caller may see. Code throws a key as AppError, or maps a database constraint to a key. Operator calls
 * get `code` and `key` in the envelope; platform calls get an HTTP status and `code` in a problem document.
 */
import { CALL_ERRORS } from "./call-errors.ts";
import type { ErrorRow } from "./call-errors.ts";
import type { Envelope, FieldFault } from "./envelope.ts";
import { PROMOTION_ERRORS } from "./promotion-errors.ts";

export const ERROR_ROWS = { ...CALL_ERRORS, ...PROMOTION_ERRORS };

export type ErrorKey = keyof typeof ERROR_ROWS;

interface ErrorKind {
  readonly code: number;
  /** HTTP status of a platform call; operator calls return 200 (behaviour §1). */
  readonly status: number;
  /** The wrong input field, which a form highlights (behaviour §1). */
  readonly field?: string;
}

// Object.fromEntries loses the keys; every key has its row.
export const ERRORS = Object.fromEntries(
  Object.entries<ErrorRow>(ERROR_ROWS).map(([key, [code, , , more]]) => [
    key,
    { code, status: code, ...more },
  ]),
) as Readonly<Record<ErrorKey, ErrorKind>>;

/** The envelope of a rejected call: people read the texts, programs read the key. */
export interface RefusalEnvelope extends Envelope {
  readonly key: ErrorKey;
}

/** The `code` of a problem document: why the server may reject a platform call. */
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

/**
 * Values for the `{placeholders}` of a text. If a value has both languages, the text uses the value in its
 * own language.
 */
export type TextValues = Readonly<
  Record<string, string | number | { readonly zh: string; readonly en: string }>
>;

/**
 * An error that a caller may see: a key of the table, values for the text, and data such as errors by field.
 * Any other thrown error is a defect, for which the caller gets `internal`.
 */
export class AppError extends Error {
  readonly key: ErrorKey;
  readonly values: TextValues;
  /** The content of `data` in the envelope. */
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

/** Returns the value; throws the error if the value is missing. */
export function found<T>(
  value: T | null | undefined,
  ...error: ConstructorParameters<typeof AppError>
): T {
  if (value === null || value === undefined) {
    throw new AppError(...error);
  }
  return value;
}

/** Makes the error for bad input, with errors by field. The first of them is also the message (behaviour §1). */
export function badInput(faults: readonly [FieldFault, ...FieldFault[]]): AppError {
  return new AppError("bad_input", { first: faults[0].msg }, { errors: faults });
}
