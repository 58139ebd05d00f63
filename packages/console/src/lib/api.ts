/**
 * Every call of the console goes through here, by route value. Unwraps the envelope, and does the
 * shared handling of spec §8: each failure is shown once, by this file's notices, and rejects.
 */
import { LOGGED_OUT, OK_CODES, RELOGIN_CODES } from "@red/contract/envelope";
import type { Envelope, FieldFault } from "@red/contract/envelope";
import { fillPath } from "@red/contract/route";
import type { Data, Input, Route } from "@red/contract/route";
import { TOKEN_HEADER } from "@red/contract/session";
import * as z from "zod/mini";
import { loadConfig } from "./config.ts";
import { missed, reached } from "./connection.ts";
import { recordFailedCall } from "./faults.ts";
import { currentLanguage, tr } from "./language.ts";
import { askToLeave, askToSignInAgain, notify } from "./notices.ts";

/** A call that did not succeed. Whoever catches it must not show its message again as a toast. */
export class ApiError extends Error {
  /** The envelope's code; null when no envelope came back. */
  readonly code: number | null;
  /** Faults by field, for forms that mark them. */
  readonly faults: readonly FieldFault[];
  /** `data` of the envelope. */
  readonly data: unknown;
  /** Which error it is, whatever the language; null when no refusal names one. */
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
  /** The caller shows the failure itself, or nobody shall see it. */
  quiet?: boolean;
  /** Made without the operator's doing: of its failures only the end of the session is shown. */
  background?: boolean;
}

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

/** Kept in memory only: it opens nothing without the cookie (behaviour §1). */
let requestToken: string | null = null;

export function setRequestToken(token: string | null): void {
  requestToken = token;
}

type Fields = Readonly<Record<string, unknown>>;

/** What is null or undefined is not sent (spec §7). */
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

/** Where a path is served: the bases are known at run time (behaviour §1). */
export async function addressOf(path: string): Promise<string> {
  const config = await loadConfig();
  return `${path.startsWith("/gred/") ? config.gred_base : config.red_base}${path}`;
}

interface Parts {
  params?: Readonly<Record<string, string | number>>;
  query?: Fields;
  body?: Fields;
  /** Sent as multipart, which the browser writes with its own content type. */
  form?: FormData;
}

function requestOf(route: Route, parts: Parts, options: CallOptions): RequestInit {
  const headers: Record<string, string> = {
    Accept: "application/json",
    "Accept-Language": currentLanguage(),
  };
  if (requestToken !== null) {
    headers[TOKEN_HEADER] = requestToken;
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

/** The whole answer; an abort stays an abort, also in the middle of the body. */
async function received(url: string, request: RequestInit) {
  try {
    const response = await fetch(url, request);
    return { status: response.status, text: await response.text() };
  } catch (error) {
    if (isAbort(error)) {
      throw error;
    }
    missed();
    throw new ApiError(tr("lib:network_failed"), null);
  }
}

/** A proxy in between may answer with a page of its own: that is no envelope. */
function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function transport(
  route: Route,
  parts: Parts,
  options: CallOptions,
): Promise<Envelope & { key: string | null }> {
  const address = await addressOf(fillPath(route.path, parts.params ?? {}));
  const url = `${address}${queryString(parts.query)}`;
  const { status, text } = await received(url, requestOf(route, parts, options));
  const parsed = envelope.safeParse(jsonOrNull(text));
  if (!parsed.success) {
    missed();
    throw new ApiError(tr("lib:no_envelope", { status }), null);
  }
  reached();
  const { code, msg, data, key } = parsed.data;
  return { code, msg: msg ?? "", data: data ?? null, key: key ?? null };
}

function show(error: ApiError, startedAt: number, options: CallOptions): void {
  if (error.code === LOGGED_OUT) {
    askToLeave();
  } else if (error.code !== null && RELOGIN_CODES.has(error.code)) {
    askToSignInAgain(startedAt);
  } else if (options.background !== true) {
    notify({ kind: "error", text: error.message });
  }
}

/** No refusal, but a call that did not work: the log takes it in. */
function isFault({ code }: ApiError): boolean {
  return code === null || (code >= 500 && code < 600);
}

async function send<R extends Route>(
  route: R,
  parts: Parts,
  options: CallOptions,
): Promise<Envelope<Data<R>>> {
  const startedAt = performance.now();
  try {
    const { key, ...answer } = await transport(route, parts, options);
    if (!OK_CODES.has(answer.code)) {
      // spec §8: a refusal without words is shown as "Error".
      throw new ApiError(answer.msg === "" ? "Error" : answer.msg, answer.code, answer.data, key);
    }
    const data = route.data.safeParse(answer.data);
    if (!data.success) {
      throw new ApiError(tr("lib:unreadable"), null);
    }
    // The schema that parsed it is the route's own.
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

/** The envelope of a call that the shared handling lets through (codes 0, 200, 11, 407, 402). */
export async function exchange<R extends Route>(
  route: R,
  input: Input<R>,
  options: CallOptions = {},
): Promise<Envelope<Data<R>>> {
  // `Input<R>` is the same three parts, each present only when the route has it.
  return await send(route, input as Parts, options);
}

/** The data of an upload's answer. Rejects as `call` does. */
export async function upload<D extends z.ZodMiniType>(
  route: Route<undefined, undefined, undefined, D, "upload">,
  form: FormData,
): Promise<z.output<D>> {
  // The form carries the header's token once more (spec §7, docs/decisions/0017).
  if (requestToken !== null) {
    form.set("token", requestToken);
  }
  const { data } = await send(route, { form }, {});
  // The schema of the route has parsed it.
  return data as z.output<D>;
}

/** The data of a call. Rejects with `ApiError` (already shown) or with an abort. */
export async function call<R extends Route>(
  route: R,
  input: Input<R>,
  options: CallOptions = {},
): Promise<Data<R>> {
  const { data } = await exchange(route, input, options);
  return data;
}

type Settled<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly error: ApiError };

/** A call whose refusal needs no more than the shared handling; anything else still throws. */
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
