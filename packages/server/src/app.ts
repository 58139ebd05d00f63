/** The HTTP application without listening on a port, so that tests can inject requests. */
import { randomUUID } from "node:crypto";
import { maxHeaderSize } from "node:http";
import cookie from "@fastify/cookie";
import multipart from "@fastify/multipart";
import { sessionRoutes } from "@red/contract/identity/session";
import type { CALLS_BY_ROOM } from "@red/contract/routes";
import { AppError, ERRORS } from "@red/contract/platform/errors";
import { languageOf } from "@red/contract/platform/texts";
import { identityRoom } from "#identity/room";
import { stopsRoom } from "#stops/room";
import { poolsRoom } from "#pools/room";
import { roundsRoom } from "#rounds/room";
import { playersRoom } from "#players/room";
import { eventsRoom } from "#events/room";
import { chancesRoom } from "#chances/room";
import { drawsRoom } from "#draws/room";
import { payoutsRoom } from "#payouts/room";
import { recordsRoom } from "#records/room";
import { financeRoom } from "#finance/room";
import { evidenceRoom } from "#evidence/room";
import { approvalsRoom } from "#approvals/room";
import { watchRoom } from "#watch/room";
import { webhooksRoom } from "#webhooks/room";
import { runChange } from "#approvals/run-change";
import type { Db } from "#platform/db/connection";
import { plainAddress } from "#platform/http/address-group";
import { isPlatformPath, sendError, toAppError } from "#platform/http/answer";
import { answerBroken, noteUrl, readOn } from "#platform/http/broken-request";
import { isImmutable, mountConsole, packAnswers, setSafeHeaders } from "#platform/http/console";
import { mountDocs } from "#platform/http/docs";
import { guardBodies, restLimitOf } from "#identity/body-limits";
import type { DrawQueue } from "#draws/draw-queue";
import type { OnRefused } from "#draws/draw-routes";
import type { ChanceReader } from "#chances/chance-reader";
import { openDownloads } from "#platform/http/download-files";
import type { DownloadFolder } from "#platform/http/download-files";
import { fadingCounts, slowGuesses } from "#identity/auth-throttle";
import { EVENT_STREAM, openEventStreams } from "#platform/http/event-stream";
import type { EventStreams } from "#platform/http/event-stream";
import type { Services } from "#platform/handlers";
import { mountHealth, readiness, readyMeasured } from "#platform/http/health";
import type { Health, Readiness } from "#platform/http/health";
import { identifyCallers } from "#identity/callers";
import { sessionCheck } from "#identity/operator-auth";
import { keyMemory } from "#identity/key-auth";
import type { KeyMemory } from "#identity/key-auth";
import { mountMetrics } from "#platform/http/metrics";
import type { Measured } from "#platform/http/metrics";
import { ANYBODYS_BYTES_MAX } from "#platform/http/mount";
import type { MountDeps, MountedRoutes } from "#platform/http/mount";
import type { Room } from "#platform/http/room";
import type { Statement } from "#finance/reconciliation-routes";
import { startTally } from "#watch/refusal-tally";
import release from "#release" with { type: "json" };
import fastify, { LogController } from "fastify";
import type { FastifyBaseLogger, FastifyInstance, preSerializationAsyncHookHandler } from "fastify";

export interface AppDeps {
  readonly db: Db;
  readonly exportDb: Db;
  /** For live figures, which may be slightly old. */
  readonly readDb: Db;
  readonly exportRoom: DownloadFolder;
  /** For calls with thousands of rows, so that operators do not wait for these calls. */
  readonly ingestDb: Db;
  readonly services: Services;
  readonly draws: DrawQueue;
  readonly chances: ChanceReader;
  readonly statement: Statement;
  readonly health: Health;
  /** For probes and metrics, which must not wait for other calls. */
  readonly probeDb: Db;
  /** Metrics of the resources that the process uses. */
  readonly measured: readonly Measured[];
  /** The newest migration of this program. */
  readonly program: string;
  readonly log: FastifyBaseLogger;
  /** Which proxies may set X-Forwarded-For: none, the nearest N proxies, or the proxies with these addresses. */
  readonly trustProxy: false | number | string[];
  /** Folder of the built console. Null: only the API is served. */
  readonly consoleFolder: string | null;
  /** Port of /metrics. Null: /metrics is served on this port, to loopback callers only. */
  readonly metricsPort: number | null;
  readonly apiCalls: boolean;
  /** Checks every response against the contract (in tests). */
  readonly checkAnswers: boolean;
}

interface RoomDeps extends AppDeps {
  readonly mounted: MountedRoutes;
  /** Folder for files of exports. */
  readonly dataDir: string;
  /** Aborted when the server stops. */
  readonly signal: AbortSignal;
  readonly onRefused: OnRefused;
}

type Rooms = {
  readonly [R in keyof typeof CALLS_BY_ROOM]: Room<(typeof CALLS_BY_ROOM)[R], RoomDeps>;
};

/** If a room of the contract is missing here, the code does not compile. */
export const ROOMS: Rooms = {
  identity: identityRoom,
  stops: stopsRoom,
  pools: poolsRoom,
  rounds: roundsRoom,
  players: playersRoom,
  events: eventsRoom,
  chances: chancesRoom,
  draws: drawsRoom,
  payouts: payoutsRoom,
  records: recordsRoom,
  finance: financeRoom,
  evidence: evidenceRoom,
  approvals: approvalsRoom,
  watch: watchRoom,
  webhooks: webhooksRoom,
};

/**
 * Slower requests are logged at info level. Others are logged at debug level, because there are thousands
 * of draws a second.
 */
const SLOW_MS = 1_000;
/** Time limits to receive the headers and the whole request. The response may take longer. */
const HEAD_MS = 10_000;
const REQUEST_MS = 25_000;
const CONNECTION_CHECK_MS = 1_000;
/**
 * Rejected calls are logged: twenty at once per error key, then one in five seconds. So a flood of calls
 * cannot fill the disk.
 */
const REFUSED: ReadonlySet<number> = new Set([401, 403, 429]);
const REFUSALS_MAX = 20;
const REFUSAL_FADE_MS = 5_000;
/** More than the parallel draws that the platform API promises, plus the operators. */
const CONNECTIONS_MAX = 4_096;
/** Minimum time between two warnings about dropped connections. */
const WARNING_MS = 60_000;

/** Limits the number of connections. If there are too many, closes idle connections before their timeout. */
function boundConnections({ server, log }: FastifyInstance): void {
  let warnedAt = 0;
  server.maxConnections = CONNECTIONS_MAX;
  server.on("drop", () => {
    server.closeIdleConnections();
    if (Date.now() - warnedAt > WARNING_MS) {
      warnedAt = Date.now();
      log.warn({ max: server.maxConnections }, "too many connections: new ones are dropped");
    }
  });
}

/** The response to a login repeats its message as `message`, which older clients read (spec §7). */
const repeatMessage: preSerializationAsyncHookHandler<unknown> = async (
  _request,
  _reply,
  payload,
) =>
  typeof payload === "object" && payload !== null && "msg" in payload
    ? { ...payload, message: payload.msg }
    : payload;

/** Returns the rule for Fastify. Fastify needs a function to trust the nearest `trust` proxies. */
function proxyRule(trust: AppDeps["trustProxy"]) {
  return typeof trust === "number" ? (_address: string, hop: number) => hop < trust : trust;
}

/**
 * Normalizes addresses before anything reads them, so that limits, sessions and audit rows use one spelling
 * without a port.
 */
function readAddresses(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const { headers } = request;
    const forwarded = headers["x-forwarded-for"];
    if (forwarded !== undefined) {
      headers["x-forwarded-for"] = String(forwarded).split(",").map(plainAddress).join(", ");
    }
    const ip = plainAddress(request.ip);
    if (ip !== request.ip) {
      Object.defineProperty(request, "ip", { value: ip });
    }
    done();
  });
}

/**
 * Fastify answers an undecodable URL without our hooks, so this function replaces such a URL with a path
 * that has no route.
 */
function decodableUrl(url: string): string {
  if (!url.includes("%")) {
    return url;
  }
  const [path = ""] = url.split("?", 1);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return isPlatformPath(url) ? "/open/" : "/gred/";
  }
}

function readBodies(app: FastifyInstance): void {
  // Keeps bodies as bytes: the signature covers the bytes, and mount.ts parses them after checking the signature.
  app.removeAllContentTypeParsers();
  // Ignores the content type, except for forms, which come in parts. A sign-in must be JSON, because a
  // browser asks us first before a foreign site can send JSON.
  app.addHook("onRequest", ({ headers, routeOptions }, _reply, done) => {
    const type = headers["content-type"] ?? "";
    const encoding = headers["content-encoding"] ?? "identity";
    if (encoding.toLowerCase() !== "identity") {
      done(new AppError("body_encoded", { encoding }));
      return;
    }
    if (
      routeOptions.url === sessionRoutes.login.path &&
      !/^application\/json\s*(;|$)/i.test(type)
    ) {
      done(new AppError("json_wanted"));
      return;
    }
    if (!type.startsWith("multipart/form-data")) {
      delete headers["content-type"];
    }
    done();
  });
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => {
    done(null, body);
  });
}

function handleErrors(app: FastifyInstance): void {
  const slow = slowGuesses();
  const logged = fadingCounts(REFUSAL_FADE_MS, REFUSALS_MAX);
  app.setErrorHandler(async (fault, request, reply) => {
    if (!(await readOn(request.raw, restLimitOf(request)))) {
      void reply.header("connection", "close");
    }
    // Frees the memory of the body while the response is delayed.
    request.body = undefined;
    const error = await slow(toAppError(fault, request.id), request.ip);
    if (error === null) {
      reply.hijack();
      reply.raw.destroy();
      return reply;
    }
    if (error.key === "internal") {
      request.log.error({ err: fault }, "request failed");
    } else if (error.key === "unavailable") {
      request.log.warn({ err: fault }, "database unavailable");
    }
    const { status } = ERRORS[error.key];
    if (REFUSED.has(status) && logged.of(error.key) <= REFUSALS_MAX - 1) {
      logged.add(error.key);
      request.log.info({ path: request.routeOptions.url, status, key: error.key }, "refused");
    }
    sendError(request, reply, error, languageOf(request.headers["accept-language"]));
    return reply;
  });
  app.setNotFoundHandler(async (request, reply) => {
    const language = languageOf(request.headers["accept-language"]);
    return await sendError(request, reply, new AppError("not_found"), language);
  });
}

async function secure(app: FastifyInstance): Promise<void> {
  app.addHook("onSend", (request, reply, _payload, done) => {
    if (request.protocol === "https") {
      void reply.header("strict-transport-security", "max-age=31536000");
    }
    if (!reply.hasHeader("cache-control")) {
      void reply.header("cache-control", "no-store");
    }
    // Immutable files need no request id, and a page loads two dozen of them.
    if (!isImmutable(reply)) {
      void reply.header("x-request-id", request.id);
    }
    setSafeHeaders(reply);
    done();
  });
  await packAnswers(app);
  await app.register(cookie);
  await app.register(multipart);
}

async function mountCalls(
  app: FastifyInstance,
  deps: AppDeps & { readonly keys: KeyMemory; readonly streams: EventStreams },
): Promise<void> {
  const downloads = openDownloads(deps.exportRoom);
  const stopped = new AbortController();
  app.addHook("preClose", async () => stopped.abort());
  app.addHook("preClose", async () => deps.streams.close());
  app.addHook("preClose", async () => await downloads.close());
  const tally = startTally(deps.db, deps.log);
  app.addHook("onClose", () => tally.stop());
  const all: RoomDeps & MountDeps = {
    ...deps,
    identify: identifyCallers(deps),
    downloads,
    runChange,
    mounted: new Map(),
    dataDir: deps.exportRoom.folder,
    signal: stopped.signal,
    onRefused: tally.add,
  };
  for (const { mount } of Object.values(ROOMS)) {
    mount(app, all);
  }
  await mountDocs(app);
  await mountConsole(app, deps.consoleFolder, deps.services.settings);
}

function figuresOf(deps: AppDeps, ready: Readiness, streams: EventStreams): Measured[] {
  return [
    {
      name: "redpacket_build_info",
      help: "The release that runs, and its newest migration",
      labels: ["version", "program"],
      value: () => [[{ version: release.version, program: deps.program }, 1]],
    },
    {
      name: "redpacket_draws_in_flight",
      help: "Draws that wait or are being committed",
      value: () => deps.draws.inFlight(),
    },
    { name: "redpacket_streams_open", help: "Open streams", value: streams.open },
    readyMeasured(ready, deps.health),
    ...Object.values(ROOMS).flatMap(({ measured }) => measured?.(deps.probeDb) ?? []),
    ...deps.measured,
  ];
}

/** Builds the application. The caller must listen and close it. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: deps.log,
    trustProxy: proxyRule(deps.trustProxy),
    bodyLimit: ANYBODYS_BYTES_MAX,
    requestTimeout: REQUEST_MS,
    genReqId: () => randomUUID(),
    clientErrorHandler: answerBroken,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: "idle",
    http: {
      // Node rejects a request without Host with an empty response. Nothing here uses the host.
      requireHostHeader: false,
      headersTimeout: HEAD_MS,
      connectionsCheckingInterval: CONNECTION_CHECK_MS,
    },
    rewriteUrl: ({ url = "" }) => decodableUrl(url),
    // This is as long as the longest request line, so that the schema of the route reports a parameter that
    // is too long.
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: maxHeaderSize },
  });
  boundConnections(app);
  app.server.on("request", noteUrl);
  readAddresses(app);
  readBodies(app);
  handleErrors(app);
  await secure(app);
  const keys = keyMemory(deps.db, deps.services.secrets);
  guardBodies(app, { ...deps, keys });
  app.addHook("onResponse", (request, reply, done) => {
    const { method, routeOptions } = request;
    const ms = Math.round(reply.elapsedTime);
    // Logs the path of the route, because the address may name a player.
    const entry = { method, path: routeOptions.url, status: reply.statusCode, ms };
    if (ms >= SLOW_MS && reply.getHeader("content-type") !== EVENT_STREAM) {
      request.log.info(entry, "slow request");
    } else {
      request.log.debug(entry, "request");
    }
    done();
  });
  app.addHook("onRoute", (options) => {
    if (options.url === sessionRoutes.login.path) {
      options.preSerialization = repeatMessage;
    }
  });
  const streams = openEventStreams(sessionCheck(deps.db));
  const ready = readiness(deps.health, deps.log);
  await mountMetrics(app, deps.metricsPort, figuresOf(deps, ready, streams));
  mountHealth(app, ready, deps.program);
  if (deps.apiCalls) {
    await mountCalls(app, { ...deps, keys, streams });
  }
  return app;
}
