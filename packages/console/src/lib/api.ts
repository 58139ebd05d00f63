/** All calls of the console, by route value. Each failure is shown once, by a notice, and rejects (spec §8). */
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

/** A failed call. Its message has been shown: do not toast it again. */
export class ApiError extends Error {
  /** Code of the envelope; null without one. */
  readonly code: number | null;
  readonly faults: readonly FieldFault[];
  readonly data: unknown;
  /** The error's key, the same in every language; null if the refusal has none. */
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
  /** Shows no failure: the caller does, or the operator need not see it. */
  quiet?: boolean;
  /** The operator did not start the call: only the end of the session is shown. */
  background?: boolean;
  /** The caller's form merges the version that another operator has saved: a conflict is not shown. */
  merges?: boolean;
}

/** A route that always needs a code, and does nothing before the code is right. */
export type CodeRoute = Route & { readonly proof: "code" | "authenticator" | "first" };

/** Texts of the dialog, only for such a route: asking for its code also asks whether to act. */
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

/** In memory only; useless without the cookie (behaviour §1). */
let requestToken: string | null = null;

export function setRequestToken(token: string | null): void {
  requestToken = token;
}

type Fields = Readonly<Record<string, unknown>>;

/** Null and undefined are not sent (spec §7). */
export function withoutNulls(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** `?a=1&b=2`, percent-encoded; empty without fields. */
export function queryString(query: Fields | undefined): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(withoutNulls(query ?? {}))) {
    params.set(name, String(value));
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** URL of a path; the bases come from the configuration (behaviour §1). */
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

/** A call that changes data, not sent yet. */
export interface Change<R extends Route = Route> {
  readonly route: R;
  readonly parts: Parts;
}

export function changeBy<R extends Route>(route: R, input: Input<R>): Change<R> {
  // `Input<R>` has these parts, each only if the route has it.
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

/** The whole answer. An abort is passed on, also while the body is read. */
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

/** The server lost its database: the outcome of the call is as unknown as without an answer. */
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
  // A proxy may answer with a page of its own.
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

/** Refusals that the field or the dialog shows: no toast. */
const SHOWN_BY_FIELD: ReadonlySet<string | null> = new Set<ErrorKey>([
  "proof_needed",
  "seed_code_wrong",
  "password_wrong",
  "password_easy",
]);

export const isShownByField = ({ key }: Refusal): boolean => SHOWN_BY_FIELD.has(key);

/** The change waits for a second person, and a notice has said so: its form closes as if saved (behaviour §16). */
export const isWaiting = ({ key }: Refusal): boolean => key === "approval_waits";

/** Asks for the reason and code that the change needs, and sends it again. Answers `proof_needed` if the operator leaves. */
async function answered(route: Route, parts: Parts, options: SendOptions): Promise<Answered> {
  const change = JSON.stringify([route.method, route.path, parts]);
  const page = pagesLeft();
  let proof: Proof = {};
  let answer = await transport(route, parts, options);
  while (answer.key === "proof_needed") {
    const { needs } = proofNeeded.parse(answer.data);
    // A code works once: ask for a new one.
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

/** Refusals because another operator has saved meanwhile. */
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

/** Whether the call failed, instead of being refused: it goes to the error log. */
export function isFault({ code }: ApiError): boolean {
  return code === null || (code >= 500 && code < 600);
}

/** Sends the change. Resolves to the envelope for codes 0, 200, 11, 407 and 402; rejects as `call` does. */
export async function make<R extends Route>(
  { route, parts }: Change<R>,
  options: MakeOptions<R> = {},
): Promise<Envelope<Data<R>>> {
  let startedAt = 0;
  try {
    const { key, sentAt, ...answer } = await answered(route, parts, options);
    startedAt = sentAt;
    if (!OK_CODES.has(answer.code)) {
      // A refusal without a message is shown as "Error" (spec §8).
      throw new ApiError(answer.msg === "" ? "Error" : answer.msg, answer.code, answer.data, key);
    }
    const data = route.data.safeParse(answer.data);
    if (!data.success) {
      throw new ApiError(tr("lib:unreadable"), null);
    }
    // Parsed by the route's own schema.
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

/** What the change would need, by a preview; null if it would be refused. */
export async function needsOf(
  { route, parts }: Change,
  signal: AbortSignal,
): Promise<Needs | null> {
  const { key, data } = await transport(route, { ...parts, isPreview: true }, { signal });
  return key === VALUED ? proofNeeded.parse(data).needs : null;
}

type FileRoute<D extends z.ZodMiniType> = Route<undefined, undefined, undefined, D, "upload">;

/** The change by a file, which the form contains after `fields`. */
export function changeByFile<D extends z.ZodMiniType>(
  route: FileRoute<D>,
  file: File,
  fields: Readonly<Record<string, string>> = {},
): Change<FileRoute<D>> {
  const form = new FormData();
  // The form repeats the header's token (spec §7, docs/decisions/0017).
  const parts = {
    ...fields,
    poolFile: file,
    ...(requestToken !== null && { token: requestToken }),
  };
  Object.entries(parts).forEach(([name, part]) => form.set(name, part));
  return { route, parts: { form } };
}

/** Sends a file after `fields`. Resolves to the answer's data; rejects as `call` does. */
export async function upload<D extends z.ZodMiniType>(
  route: FileRoute<D>,
  file: File,
  fields: Readonly<Record<string, string>> = {},
): Promise<z.output<D>> {
  const { data } = await make(changeByFile(route, file, fields));
  // Parsed by the route's schema.
  return data as z.output<D>;
}

/** The data of a call. Rejects with `ApiError` (already shown) or with an abort. */
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

/** For calls whose refusal needs only the shared handling. Rejects with other errors. */
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
