/** Builds error responses: an envelope for operators, a problem document for platforms. */
import { AppError, ERRORS } from "@red/contract/platform/errors";
import type { ErrorKey, RefusalEnvelope, TextValues } from "@red/contract/platform/errors";
import type { Problem } from "@red/contract/draws/draw";
import { text } from "@red/contract/platform/texts";
import type { Language } from "@red/contract/platform/texts";
import {
  COMMIT_IN_DOUBT,
  NO_ANSWER,
  READ_ONLY,
  TOO_MANY_CONNECTIONS,
} from "#platform/db/connection";
import { hasSqlState, meaningOf } from "#platform/db/constraints";
import type { FastifyReply, FastifyRequest } from "fastify";

/** True for platform paths. They respond with real statuses and problem documents, all other paths with envelopes. */
export function isPlatformPath(url: string): boolean {
  return url.startsWith("/open/");
}

/** Errors that keep their HTTP status on operator calls too, because no part of the call was carried out. */
const REAL_STATUS: ReadonlySet<ErrorKey> = new Set([
  "not_found",
  "request_unreadable",
  "request_timeout",
  "body_too_large",
  "head_too_large",
  "body_encoded",
  "json_wanted",
  "too_many_requests",
  "internal",
  "unavailable",
  "disk_full",
]);

/** Errors whose response contains the number of seconds to wait before a retry. */
const TRIED_AGAIN: ReadonlySet<ErrorKey> = new Set([
  "overloaded",
  "too_many_requests",
  "receipt_not_ready",
]);

/**
 * SQLSTATEs of a database that is unreachable, shutting down, out of disk, memory or connections (class 53), too slow
 * (57014), a standby, or without its standby.
 */
const UNAVAILABLE_STATES = [
  "57P01",
  "57P02",
  "57P03",
  "53100",
  "53200",
  TOO_MANY_CONNECTIONS,
  "08006",
  "08003",
  "57014",
  READ_ONLY,
  COMMIT_IN_DOUBT,
];
const UNAVAILABLE_CODES = new Set(["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE", "ETIMEDOUT"]);

function isUnavailable(fault: unknown): boolean {
  if (hasSqlState(fault, ...UNAVAILABLE_STATES)) {
    return true;
  }
  if (!(fault instanceof Error)) {
    return false;
  }
  const code = "code" in fault ? String(fault.code) : "";
  return (
    UNAVAILABLE_CODES.has(code) ||
    fault.message === NO_ANSWER ||
    /Connection terminated|is not queryable|timeout exceeded when trying to connect/.test(
      fault.message,
    )
  );
}

/** Converts errors of fastify itself, such as a body that is too large. */
function refusedByFramework(fault: unknown): AppError | null {
  if (!(fault instanceof Error) || !("statusCode" in fault)) {
    return null;
  }
  if (fault.statusCode === 413) {
    return new AppError("body_too_large");
  }
  if (typeof fault.statusCode === "number" && fault.statusCode < 500) {
    return new AppError("bad_input", { first: fault.message });
  }
  return null;
}

/** Returns the error that the caller sees for any thrown value. `internal` means a defect of this program. */
export function toAppError(fault: unknown, request_id: string): AppError {
  if (fault instanceof AppError) {
    return fault;
  }
  return (
    meaningOf(fault) ??
    refusedByFramework(fault) ??
    new AppError(isUnavailable(fault) ? "unavailable" : "internal", { request_id })
  );
}

export function errorEnvelope(error: AppError, language: Language): RefusalEnvelope {
  const { code, field } = ERRORS[error.key];
  const msg = text(error.key, language, error.values);
  const named = field === undefined ? null : { errors: [{ field, msg }] };
  return { code, msg, data: error.data ?? named, key: error.key };
}

/** Builds the problem document of an error in a platform call (RFC 9457). */
export function problemOf(key: ErrorKey, language: Language, values: TextValues = {}): Problem {
  const { status } = ERRORS[key];
  const detail = text(key, language, values);
  return { type: "about:blank", title: key.replaceAll("_", " "), status, code: key, detail };
}

export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: AppError,
  language: Language,
): FastifyReply {
  if (TRIED_AGAIN.has(error.key)) {
    void reply.header("retry-after", Number(error.values["seconds"] ?? 1));
  }
  if (isPlatformPath(request.url)) {
    return reply
      .code(ERRORS[error.key].status)
      .type("application/problem+json")
      .send(JSON.stringify({ ...problemOf(error.key, language, error.values), ...error.data }));
  }
  const status = REAL_STATUS.has(error.key) ? ERRORS[error.key].status : 200;
  return reply.code(status).send(errorEnvelope(error, language));
}

/** Describes an error in English, for a line of a terminal. */
export function reasonOf(fault: unknown): string {
  if (fault instanceof AppError) {
    return text(fault.key, "en", fault.values);
  }
  // A host with several addresses fails with one error per address and without a message.
  if (fault instanceof AggregateError && fault.errors.length > 0) {
    return reasonOf(fault.errors[0]);
  }
  if (fault instanceof Error && fault.message !== "") {
    // `fetch failed` explains nothing, so the text adds the cause.
    return fault instanceof TypeError && fault.cause !== undefined
      ? `${fault.message}: ${reasonOf(fault.cause)}`
      : fault.message;
  }
  return String(fault);
}
