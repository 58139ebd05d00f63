/** Makes all calls of the console. A failed call rejects, and its error is shown once by a notice (spec §8). */
import { LOGGED_OUT, OK_CODES, RELOGIN_CODES } from "@red/contract/platform/envelope";
import type { Envelope, FieldFault } from "@red/contract/platform/envelope";
import type { ErrorKey } from "@red/contract/platform/errors";
import { proofNeeded } from "@red/contract/approvals/guard";
import type { Needs } from "@red/contract/approvals/guard";
import { fillPath } from "@red/contract/platform/route";
import type { Data, Input, Route } from "@red/contract/platform/route";
import {
  CODE_HEADER,
  LOGIN_CODES,
  PREVIEW_HEADER,
  REASON_HEADER,
  TOKEN_HEADER,
} from "@red/contract/identity/session";
import * as z from "zod/mini";
import { loadConfig } from "./config.ts";
import { reportNoAnswer, reportAnswer } from "./connection.ts";
import { recordFailedCall } from "./faults.ts";
import { jsonOrNull } from "./json-or-null.ts";
import { currentLanguage, tr } from "./language.ts";
import { askToLeave, askToSignInAgain, notify } from "./notices.ts";
import { askProof, pagesLeft } from "./proof.ts";
import type { Proof, Words } from "./proof.ts";
import { followServer } from "./server-clock.ts";

/** Error of a failed call. Its message has been shown already, so do not show a toast. */
export class ApiError extends Error {
  /** Code of the response envelope. Null if there was no envelope. */
  readonly code: number | null;
  readonly faults: readonly FieldFault[];
  readonly data: unknown;
  /** Key of the error, which is the same in every language. Null if the server sent no key. */
  readonly key: string | null;

  constructor(
    message: string,
    code: number | null,
    data: unknown = null,
    key: string | null = null,
  ) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.data = data;
    this.key = key;
    this.faults = faultsIn(data);
  }
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Shows no error: the caller shows it, or the operator does not need it. */
  quiet?: boolean;
  /** Set it for calls that the operator did not start. Only the end of the session is shown. */
  background?: boolean;
  /** Set it if the form merges the version that another operator has saved. A conflict is then not shown. */
  merges?: boolean;
}

/** Route that always needs a code, and does nothing until the code is right. */
export type CodeRoute = Route & { readonly proof: "code" | "authenticator" | "first" };

/**
 * Texts of the dialog. Only a `CodeRoute` has them, because its dialog asks for the code and also asks whether to act.
 */
type WordsOf<R extends Route> = R extends CodeRoute ? Words : never;

interface SendOptions<W = Words> extends CallOptions {
  words?: W;
}

export type MakeOptions<R extends Route> = SendOptions<WordsOf<R>>;

const faultList = z.object({ errors: z.array(z.object({ field: z.string(), msg: z.string() })) });
const envelope = z.object({
  code: z.number(),
  msg: z.optional(z.nullable(z.string())),
  data: z.optional(z.unknown()),
  key: z.optional(z.string()),
});

function faultsIn(data: unknown): readonly FieldFault[] {
  const parsed = faultList.safeParse(data);
  return parsed.success ? parsed.data.errors : [];
}

/** Kept only in memory. The token is useless without the cookie (behaviour §1). */
let requestToken: string | null = null;

export function setRequestToken(token: string | null): void {
  requestToken = token;
}

type Fields = Readonly<Record<string, unknown>>;

/** Removes null and undefined, which are never sent (spec §7). */
export function withoutNulls(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** Returns `?a=1&b=2`, percent-encoded, or "" without fields. */
export function queryString(query: Fields | undefined): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(withoutNulls(query ?? {}))) {
    params.set(name, String(value));
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** Returns the URL of a path. The base URLs come from the configuration (behaviour §1). */
export async function addressOf(path: string): Promise<string> {
  const config = await loadConfig();
  return `${path.startsWith("/gred/") ? config.gred_base : config.red_base}${path}`;
}

interface Parts extends Proof {
  params?: Readonly<Record<string, string | number>>;
  query?: Fields;
  body?: Fields;
  form?: FormData;
  isPreview?: boolean;
}

/** A call that changes data and is not sent yet. */
export interface Change<R extends Route = Route> {
  readonly route: R;
  readonly parts: Parts;
}

export function changeBy<R extends Route>(route: R, input: Input<R>): Change<R> {
  // `Input<R>` has only these parts, and each part only if the route has it.
  return { route, parts: input as Parts };
}

export function requestOf(route: Route, parts: Parts, options: CallOptions): RequestInit {
  const headers: Record<string, string> = {
    Accept: "application/json",
    "Accept-Language": currentLanguage(),
  };
  if (requestToken !== null) {
    headers[TOKEN_HEADER] = requestToken;
  }
  if (parts.reason !== undefined) {
    headers[REASON_HEADER] = encodeURIComponent(parts.reason);
  }
  if (parts.code !== undefined) {
    headers[CODE_HEADER] = parts.code;
  }
  if (parts.isPreview === true) {
    headers[PREVIEW_HEADER] = "1";
  }
  const request: RequestInit = { method: route.method, headers, credentials: "include" };
  if (options.signal !== undefined) {
    request.signal = options.signal;
  }
  if (parts.body !== undefined) {
    headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(withoutNulls(parts.body));
  } else if (parts.form !== undefined) {
    request.body = parts.form;
  }
  return request;
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** Reads the whole response. Rethrows an abort, also an abort while the body is read. */
async function received(url: string, request: RequestInit) {
  try {
    const response = await fetch(url, request);
    followServer(response.headers.get("Date"));
    return { status: response.status, text: await response.text() };
  } catch (error) {
    if (isAbort(error)) {
      throw error;
    }
    reportNoAnswer();
    throw new ApiError(tr("lib:network_failed"), null);
  }
}

/** Sent when the server has lost its database. The outcome of the call is then unknown, as without a response. */
const UNAVAILABLE = "unavailable" satisfies ErrorKey;
const VALUED = "only_valued" satisfies ErrorKey;

interface Answered extends Envelope {
  readonly key: string | null;
  readonly sentAt: number;
}

async function transport(route: Route, parts: Parts, options: CallOptions): Promise<Answered> {
  const address = await addressOf(fillPath(route.path, parts.params ?? {}));
  const url = `${address}${queryString(parts.query)}`;
  const sentAt = performance.now();
  const { status, text } = await received(url, requestOf(route, parts, options));
  // The response may be a page of a proxy instead of an envelope.
  const parsed = envelope.safeParse(jsonOrNull(text));
  if (!parsed.success) {
    reportNoAnswer();
    throw new ApiError(tr("lib:no_envelope", { status }), null);
  }
  const { code, msg, data, key } = parsed.data;
  if (key === UNAVAILABLE) {
    reportNoAnswer();
    throw new ApiError(msg ?? "", null);
  }
  reportAnswer();
  return { code, msg: msg ?? "", data: data ?? null, key: key ?? null, sentAt };
}

type Refusal = Pick<ApiError, "code" | "key">;

/** Errors that the field or the dialog shows, so no toast is needed. */
const SHOWN_BY_FIELD: ReadonlySet<string | null> = new Set<ErrorKey>([
  "proof_needed",
  "seed_code_wrong",
  "password_wrong",
  "password_easy",
]);

export const isShownByField = ({ key }: Refusal): boolean => SHOWN_BY_FIELD.has(key);

/**
 * Returns whether the change waits for a second person. A notice has reported this, so the form closes as after a save
 * (behaviour §16).
 */
export const isWaiting = ({ key }: Refusal): boolean => key === "approval_waits";

/**
 * Asks for the reason and the code that the change needs, and sends the change again. Resolves to the `proof_needed`
 * response if the operator leaves the dialog.
 */
async function answered(route: Route, parts: Parts, options: SendOptions): Promise<Answered> {
  const change = JSON.stringify([route.method, route.path, parts]);
  const page = pagesLeft();
  let proof: Proof = {};
  let answer = await transport(route, parts, options);
  while (answer.key === "proof_needed") {
    const { needs } = proofNeeded.parse(answer.data);
    // A code works only once, so the dialog asks for a new code.
    const { code: old, ...rest } = proof;
    const wanted = { ...needs, code: needs.code || old !== undefined };
    const question = { change, page, text: answer.msg, needs: wanted, words: options.words };
    const again = await askProof(question, async (given) => {
      proof = { ...rest, ...given };
      const tried = await transport(route, { ...parts, ...proof }, options);
      return tried.code === LOGIN_CODES.code_wanted ? { wrong: tried.msg } : { answer: tried };
    });
    if (again === null) {
      return answer;
    }
    answer = again;
  }
  return answer;
}

/** Keys of errors that mean another operator has saved meanwhile. */
const STALE: ReadonlySet<string | null> = new Set<ErrorKey>([
  "stale_version",
  "prize_pool_differs",
  "pool_save_conflict",
]);

export const isStale = ({ key }: ApiError): boolean => STALE.has(key);

function show(error: ApiError, startedAt: number, options: CallOptions): void {
  if (error.code === LOGGED_OUT) {
    askToLeave();
  } else if (error.code !== null && RELOGIN_CODES.has(error.code)) {
    askToSignInAgain(startedAt, options.background === true);
  } else if (isWaiting(error)) {
    notify({ kind: "waits", text: error.message });
  } else if (
    options.background !== true &&
    !isShownByField(error) &&
    !(options.merges === true && isStale(error))
  ) {
    notify({ kind: "error", text: error.message });
    if (error.key === "not_permitted") {
      notify({ kind: "not_permitted" });
    }
  }
}

/**
 * Returns whether the call failed without a decision by the server (no response, or code 500 to 599). Such a failure
 * goes to the error log.
 */
export function isFault({ code }: ApiError): boolean {
  return code === null || (code >= 500 && code < 600);
}

/** Sends the change. Resolves to the envelope for codes 0, 200, 11, 407 and 402, and rejects as `call` does. */
export async function make<R extends Route>(
  { route, parts }: Change<R>,
  options: MakeOptions<R> = {},
): Promise<Envelope<Data<R>>> {
  let startedAt = 0;
  try {
    const { key, sentAt, ...answer } = await answered(route, parts, options);
    startedAt = sentAt;
    if (!OK_CODES.has(answer.code)) {
      // An error without a message is shown as "Error" (spec §8).
      throw new ApiError(answer.msg === "" ? "Error" : answer.msg, answer.code, answer.data, key);
    }
    const data = route.data.safeParse(answer.data);
    if (!data.success) {
      throw new ApiError(tr("lib:unreadable"), null);
    }
    // `data` was parsed by the schema of this route.
    return { ...answer, data: data.data as Data<R> };
  } catch (error) {
    if (error instanceof ApiError) {
      if (isFault(error) && options.background !== true) {
        recordFailedCall(error, `${route.method} ${route.path}`);
      }
      if (options.quiet !== true) {
        show(error, startedAt, options);
      }
    }
    throw error;
  }
}

/** Asks the server with a preview what the change needs. Resolves to null if the server would reject the change. */
export async function needsOf(
  { route, parts }: Change,
  signal: AbortSignal,
): Promise<Needs | null> {
  const { key, data } = await transport(route, { ...parts, isPreview: true }, { signal });
  return key === VALUED ? proofNeeded.parse(data).needs : null;
}

type FileRoute<D extends z.ZodMiniType> = Route<undefined, undefined, undefined, D, "upload">;

/** Returns a change that uploads a file. The form contains the file after `fields`. */
export function changeByFile<D extends z.ZodMiniType>(
  route: FileRoute<D>,
  file: File,
  fields: Readonly<Record<string, string>> = {},
): Change<FileRoute<D>> {
  const form = new FormData();
  // The form repeats the request token of the header (spec §7, docs/decisions/0017).
  const parts = {
    ...fields,
    poolFile: file,
    ...(requestToken !== null && { token: requestToken }),
  };
  Object.entries(parts).forEach(([name, part]) => form.set(name, part));
  return { route, parts: { form } };
}

/**
 * Uploads a file; the form contains it after `fields`. Resolves to the data of the response, and rejects as `call`
 * does.
 */
export async function upload<D extends z.ZodMiniType>(
  route: FileRoute<D>,
  file: File,
  fields: Readonly<Record<string, string>> = {},
): Promise<z.output<D>> {
  const { data } = await make(changeByFile(route, file, fields));
  // `data` was parsed by the schema of the route.
  return data as z.output<D>;
}

/** Makes a call and resolves to its data. Rejects with an abort or with `ApiError`, which has already been shown. */
export async function call<R extends Route>(
  route: R,
  input: Input<R>,
  options: MakeOptions<R> = {},
): Promise<Data<R>> {
  const { data } = await make(changeBy(route, input), options);
  return data;
}

type Settled<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly error: ApiError };

/**
 * Converts an `ApiError` to a result, for callers that need no error handling of their own. Rejects with any other
 * error.
 */
export async function settled<T>(calling: Promise<T>): Promise<Settled<T>> {
  try {
    return { ok: true, data: await calling };
  } catch (error) {
    if (error instanceof ApiError) {
      return { ok: false, error };
    }
    throw error;
  }
}
