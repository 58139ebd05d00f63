/** Mounts the routes of the contract. Only this module opens a transaction for an operator's write. */
import { SUCCESS } from "@red/contract/platform/envelope";
import { badInput, ERRORS } from "@red/contract/platform/errors";
import { faultsOf } from "@red/contract/platform/faults";
import { FIELD_LABELS } from "@red/contract/pools/field-labels";
import {
  INGEST_AT_ONCE_MAX,
  INGEST_BYTES_MAX,
  UPLOAD_BYTES_MAX,
} from "@red/contract/platform/limits";
import { notPermitted } from "@red/contract/platform/permissions";
import { optionalCode } from "@red/contract/platform/fields";
import type { Route } from "@red/contract/platform/route";
import {
  CODE_HEADER,
  LOGIN_CODES,
  PREVIEW_HEADER,
  TOKEN_HEADER,
} from "@red/contract/identity/session";
import { languageOf, text } from "@red/contract/platform/texts";
import type { Language } from "@red/contract/platform/texts";
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import { hasSqlState } from "#platform/db/constraints";
import { hasFieldTwice } from "./field-twice.ts";
import { readUpload } from "#platform/files";
import { assertSeen, maskBy, maskJsonBy } from "#platform/mask";
import { replaceKept } from "#platform/kept-fields";
import { referTexts, withNames } from "#platform/player-names";
import { limitConcurrency } from "#platform/concurrency";
import type { Downloads } from "./download-files.ts";
import type { EventStreams } from "./event-stream.ts";
import type {
  Answered,
  AnyOutcome,
  Caller,
  Download,
  EventSink,
  EventSource,
  Handlers,
  Operator,
  Refused,
  Services,
} from "#platform/handlers";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";

/** Maximum size of a body in bytes while its sender is unknown. */
export const ANYBODYS_BYTES_MAX = 65_536;
/** Maximum size of a form in bytes: a file, the other fields, and the heads of all parts. */
export const FORM_BYTES_MAX = UPLOAD_BYTES_MAX + 131_072;
export interface Calling {
  readonly route: Route;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The raw bytes of the body. */
  readonly body: Buffer;
  /** The token from the form of an upload, or empty. */
  readonly formToken: string;
}

export interface MountDeps {
  readonly db: Db;
  readonly exportDb: Db;
  readonly ingestDb: Db;
  readonly services: Services;
  /** Identifies the caller. Throws if the caller may not use the route. */
  readonly identify: (calling: Calling) => Promise<Caller>;
  readonly downloads: Downloads;
  readonly streams: EventStreams;
  /** Runs a change that has its proof, or stores it for a second person (approvals/run-change.ts). */
  readonly runChange: (
    tx: Tx,
    route: Route,
    call: Caller,
    act: () => Promise<AnyOutcome>,
  ) => Promise<Answered>;
  /** All mounted routes by method and path. */
  readonly mounted: MountedRoutes;
  /** If true, checks every response against the contract. True in tests, false in production for speed. */
  readonly checkAnswers: boolean;
}

type AnyHandler = (call: object) => Promise<AnyOutcome>;
export interface Mounted {
  readonly route: Route;
  readonly handle: AnyHandler;
}
export type MountedRoutes = Map<string, Mounted>;
type DownloadHandler = (call: object) => Promise<Download>;
type StreamHandler = (call: object) => Promise<EventSource>;

function bodyLimitOf({ auth, access }: Route): number {
  const known = access === "upload" ? FORM_BYTES_MAX : INGEST_BYTES_MAX;
  return auth.by === "nobody" ? ANYBODYS_BYTES_MAX : known;
}

function isIngest({ auth }: Route): boolean {
  return auth.by === "key" && auth.scope === "ingest";
}

function rawBody(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/* Rejects other encodings, because replacement characters would make two different ids equal. */
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** An empty body counts as an empty object. */
function jsonBody(request: FastifyRequest, language: Language): unknown {
  const refuse = (key: "body_not_utf8" | "body_not_json" | "body_field_twice") =>
    badInput([{ field: "body", msg: text(key, language) }]);
  let raw: string;
  try {
    raw = UTF8.decode(rawBody(request));
  } catch {
    throw refuse("body_not_utf8");
  }
  if (raw.trim() === "") {
    return {};
  }
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    throw refuse("body_not_json");
  }
  if (hasFieldTwice(raw, value)) {
    throw refuse("body_field_twice");
  }
  return value;
}

/** Removes null and empty filters, which reads ignore (behaviour §1). */
export function withoutEmpty(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return input;
  }
  return Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== null && value !== ""),
  );
}

/** Error messages use the API name of a field for platforms and its label for operators. */
interface Wording {
  readonly language: Language;
  readonly labels: Readonly<Record<string, string>>;
}

/** Returns the parsed input. Throws bad_input with a list of all errors. */
export function parse(
  schema: z.ZodMiniType | undefined,
  input: unknown,
  { language, labels }: Wording,
): unknown {
  if (schema === undefined) {
    return undefined;
  }
  const result = z.safeParse(schema, input);
  if (!result.success) {
    throw badInput(faultsOf(result.error.issues, language, labels));
  }
  return result.data;
}

const isPreview = ({ headers }: FastifyRequest) => headers[PREVIEW_HEADER] !== undefined;

const coded = z.looseObject({ code: optionalCode() });

/** Reads and checks the input of a call. `form` is the one-time code from a form. */
function receive(route: Route, request: FastifyRequest, language: Language, form: string) {
  const loosen = route.access === "read" ? withoutEmpty : (input: unknown) => input;
  const wording = { language, labels: route.auth.by === "key" ? {} : FIELD_LABELS[language] };
  const isProved = typeof route.proof === "string";
  if (isPreview(request) && route.proof !== "risk") {
    throw badInput([{ field: PREVIEW_HEADER, msg: text("preview_none", language) }]);
  }
  let json = isProved || route.body !== undefined ? jsonBody(request, language) : {};
  let code: string | null = form;
  if (isProved) {
    // Older clients send the code in the body.
    ({ code = form, ...json } = parse(coded, json, wording) as z.output<typeof coded>);
  }
  return {
    code: String(request.headers[CODE_HEADER] ?? code ?? ""),
    isPreview: isPreview(request),
    params: parse(route.params, request.params, wording),
    query: parse(route.query, withoutEmpty(request.query), wording),
    body: parse(route.body, loosen(json), wording),
  };
}

const WAITS: Refused<null> = { refused: "approval_waits", msg: "approval_waits", data: null };

function send(
  route: Route,
  reply: FastifyReply,
  answered: Answered,
  language: Language,
): FastifyReply {
  if ("needs" in answered) {
    const msg = text(answered.needs, language);
    return reply.send({ code: LOGIN_CODES.code_wanted, msg, data: null });
  }
  const outcome = "waits" in answered ? WAITS : answered;
  if ("refused" in outcome) {
    const { refused: key, msg, data } = outcome;
    return reply.send({ code: ERRORS[key].code, msg: text(msg, language), data, key });
  }
  const { data, msg = "success", code = SUCCESS, status = 200 } = outcome;
  return route.auth.by === "key"
    ? reply.code(status).send(data)
    : reply.send({ code, msg: text(msg, language), data });
}

/**
 * Maximum number of tries for a write. PostgreSQL rolls back a write that loses a deadlock or a serialization conflict.
 */
const WRITE_ATTEMPTS = 3;

async function write<T>(db: Db, handle: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(db, handle);
    } catch (fault) {
      if (attempt >= WRITE_ATTEMPTS || !hasSqlState(fault, "40P01", "40001")) {
        throw fault;
      }
    }
  }
}

async function runHandler(
  route: Route,
  handle: AnyHandler,
  call: Caller,
  deps: MountDeps,
): Promise<Answered> {
  const change = (act: (tx: Tx) => Promise<AnyOutcome>) =>
    write(isIngest(route) ? deps.ingestDb : deps.db, (tx) =>
      deps.runChange(tx, route, call, () => act(tx)),
    );
  const answered =
    route.access === "write"
      ? await change((tx) => handle({ ...call, tx }))
      : await handle({ ...call, db: deps.db, write: change });
  if (!("data" in answered)) {
    return answered;
  }
  const data =
    route.auth.by === "operator" ? await withNames(deps.db, answered.data) : answered.data;
  const isBare = "refused" in answered && data === null;
  if (deps.checkAnswers && !isBare && !z.safeParse(route.data, data).success) {
    throw new Error(`the answer of ${route.method} ${route.path} breaks the contract`);
  }
  return { ...answered, data };
}

/**
 * Runs ingest calls one at a time (behaviour §9). Each call keeps one processor of PostgreSQL busy, so two calls would
 * leave no processor for draws on a small machine. A waiting call needs memory only for its bytes. Throws `overloaded`
 * if too many calls wait.
 */
const ingestInTurn = limitConcurrency(1, INGEST_AT_ONCE_MAX - 1);

/**
 * Runs previews of a form one at a time. A preview is skipped if its caller has typed on and no longer waits for the
 * response.
 */
const previewInTurn = limitConcurrency(1);

/** Throws not_permitted if the operator lacks a permission of the route. */
function assertPermitted({ auth }: Route, { permissions }: Operator): void {
  const needed =
    auth.by === "operator" && auth.permission !== "signed_in" ? [auth.permission, auth.also] : [];
  const missing = needed.find((name) => name !== undefined && !permissions.includes(name));
  if (missing !== undefined) {
    throw notPermitted(missing);
  }
}

function mountRoute(app: FastifyInstance, route: Route, handle: AnyHandler, deps: MountDeps): void {
  app.route({
    method: route.method,
    // A HEAD request must not use up the ticket of a download or wait for the end of a stream.
    exposeHeadRoute: !["download", "stream"].includes(route.access),
    url: route.path.replaceAll(/\{(\w+)\}/g, ":$1"),
    bodyLimit: bodyLimitOf(route),
    handler: async (request, reply) => {
      const language = languageOf(request.headers["accept-language"]);
      const body = rawBody(request);
      const identify = (formToken: string) =>
        deps.identify({ route, request, reply, body, formToken });
      if (route.access === "upload" && (request.headers[TOKEN_HEADER] ?? "") !== "") {
        // If the headers contain a token, it identifies the caller before the form is read.
        await identify("");
      }
      const upload = route.access === "upload" ? await readUpload(request, identify) : null;
      const caller = await identify(upload?.token ?? "");
      const { services } = deps;
      const answer = async () => {
        const input = receive(route, request, language, upload?.code ?? "");
        assertSeen(route.query, input.query, caller);
        assertSeen(route.body, input.body, caller);
        const body =
          route.auth.by === "operator" && route.access !== "read"
            ? await replaceKept(route.body, input.body, "words", (texts) =>
                referTexts(deps.db, texts),
              )
            : input.body;
        const call = { ...upload, ...input, body, ...caller, services, language, request, reply };
        if (route.access === "download") {
          // The handler of a route with access `download` is a DownloadHandler.
          const download = handle as unknown as DownloadHandler;
          const make = () => download({ ...call, db: deps.exportDb });
          return await deps.downloads.send(reply, make);
        }
        if (route.access === "stream") {
          const begin = async () => {
            const source = await (handle as unknown as StreamHandler)({ ...call, db: deps.db });
            return ({ send: put, end }: EventSink) =>
              source({ end, send: (event, json) => put(event, masked(json)) });
          };
          let masked = maskJsonBy(route.data, caller);
          return await deps.streams.send(reply, caller.operator, begin, (operator) => {
            assertPermitted(route, operator);
            masked = maskJsonBy(route.data, { ...caller, operator });
          });
        }
        const answered = await runHandler(route, handle, call, deps);
        const mask = maskBy(route.data, caller);
        const seen = "data" in answered ? { ...answered, data: mask(answered.data) } : answered;
        return send(route, reply, seen, language);
      };
      if (isPreview(request)) {
        return await previewInTurn(async () => (reply.raw.destroyed ? reply : await answer()));
      }
      // Ingest calls wait here, before their thousands of rows are parsed.
      return await (isIngest(route) ? ingestInTurn(answer) : answer());
    },
  });
}

export function mountRoutes<T extends Readonly<Record<string, Route>>>(
  app: FastifyInstance,
  routes: T,
  handlers: Handlers<T>,
  deps: MountDeps,
): void {
  for (const [name, route] of Object.entries(routes)) {
    const handle = handlers[name];
    if (handle === undefined) {
      throw new Error(`no handler for ${route.method} ${route.path}`);
    }
    // `Handlers<T>` gives each handler the type of its route, but the loop loses that type.
    const anyHandle = handle as unknown as AnyHandler;
    deps.mounted.set(`${route.method} ${route.path}`, { route, handle: anyHandle });
    mountRoute(app, route, anyHandle, deps);
  }
}
