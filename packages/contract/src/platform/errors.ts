/**
 * Errors that a caller may see. A key is thrown as AppError, mapped from a database constraint, and answered as `code` and
 * `key` in the envelope (operator calls) or as HTTP status and `code` in a problem document (platform calls).
 */
import { CALL_ERRORS } from "./call-errors.ts";
import type { ErrorRow } from "./call-errors.ts";
import type { Envelope, FieldFault } from "./envelope.ts";
import { PROMOTION_ERRORS } from "./promotion-errors.ts";

/** The one table of errors, each with its code and its texts. */
export const ERROR_ROWS = { ...CALL_ERRORS, ...PROMOTION_ERRORS };

export type ErrorKey = keyof typeof ERROR_ROWS;

interface ErrorKind {
  readonly code: number;
  /** HTTP status of a platform call; operator calls answer 200 (behaviour §1). */
  readonly status: number;
  /** The input field at fault, which a form marks (behaviour §1). */
  readonly field?: string;
}

// Every key keeps its row.
export const ERRORS = Object.fromEntries(
  Object.entries<ErrorRow>(ERROR_ROWS).map(([key, [code, , , more]]) => [
    key,
    { code, status: code, ...more },
  ]),
) as Readonly<Record<ErrorKey, ErrorKind>>;

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

/** Values put into a text's `{placeholders}`; a value in both languages is put in as the text's language has it. */
export type TextValues = Readonly<
  Record<string, string | number | { readonly zh: string; readonly en: string }>
>;

/**
 * An error that a caller may see: a key of the table, values for its text, and data such as faults by field.
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

/** Answers the value; throws the error when it is missing. */
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
