/** The real application on the file's own database, with a signed-in operator and a platform key. */
import { randomBytes } from "node:crypto";
import type { Envelope } from "@red/contract/envelope";
import type { Input, Route } from "@red/contract/route";
import { fillPath } from "@red/contract/route";
import { drawQueue } from "#draws/draw-queue";
import { secretBox } from "#platform/secret-box";
import type { Settings } from "#platform/settings";
import { buildApp } from "#app";
import type { AppDeps } from "#app";
import type { Services } from "#platform/handlers";
import { newCallers, seedCallers, signedHeaders } from "#test/test-callers";
import type { Callers } from "#test/test-callers";
import type { TestDb } from "#test/test-db";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll } from "vitest";

export const TEST_SETTINGS: Settings = {
  timeZone: "Asia/Shanghai",
  redCodeDefault: "RED_PACKET",
  demo: false,
  wallet: "configured",
  walletRetentionDays: 120,
  tokenInAddress: true,
};

export interface TestApp {
  readonly app: FastifyInstance;
  readonly services: Services;
  /** What the application was built from, for another one beside it. */
  readonly deps: AppDeps;
  /** Access token of operator `root-op`. */
  readonly token: string;
  /** The platform's key. */
  readonly key: string;
  /** Calls an operator route and answers the envelope. */
  call<R extends Route>(route: R, input: Input<R>): Promise<Envelope>;
  /** Calls a platform route, signed; the raw answer. */
  open(method: "GET" | "POST", path: string, body?: object): Promise<LightMyRequestResponse>;
  /** Headers that sign a call of the platform, whatever it says. */
  sign(method: string, path: string, payload: string | Buffer): Record<string, string>;
}

interface Parts {
  readonly params?: Record<string, string | number>;
  readonly query?: Record<string, unknown>;
  readonly body?: object;
}

function queryText(query: Record<string, unknown> = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(
    pairs.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === "" ? "" : `?${text}`;
}

/** The statement of a wallet that has never paid anything. */
async function* noStatement(): AsyncGenerator<never> {}

async function start(t: TestDb, options: TestAppOptions, callers: Callers) {
  const { consoleFolder = null } = options;
  const secrets = secretBox(randomBytes(32));
  const services: Services = { settings: TEST_SETTINGS, secrets };
  const deps: AppDeps = {
    db: t.db,
    exportDb: t.db,
    services,
    draws: drawQueue(t.db),
    statement: noStatement,
    health: { checks: {} },
    log: pino({ level: "silent" }),
    trustProxy: false,
    consoleFolder,
    metricsPort: null,
    apiCalls: true,
    checkAnswers: true,
  };
  const app = await buildApp(deps);
  await seedCallers(t.db, secrets, callers);
  return { app, services, deps };
}

interface TestAppOptions {
  /** Folder of the built console; the API alone is served without. */
  readonly consoleFolder?: string;
}

/** Builds the application before the tests of the file and closes it after them. */
export function useTestApp(t: TestDb, options: TestAppOptions = {}): TestApp {
  let started: Awaited<ReturnType<typeof start>> | null = null;
  const callers = newCallers();
  const { token } = callers;
  beforeAll(async () => {
    started = await start(t, options, callers);
  });
  afterAll(async () => {
    await started?.app.close();
  });
  const running = () => {
    if (started === null) {
      throw new Error("the test application exists inside tests only");
    }
    return started;
  };
  return {
    get app() {
      return running().app;
    },
    get services() {
      return running().services;
    },
    get deps() {
      return running().deps;
    },
    token,
    key: callers.key,
    sign: (method, path, payload) => signedHeaders(callers, method, path, payload),
    async call(route, input) {
      // Which parts a route has is known by its type; here they are looked for.
      const { params, query, body } = input as Parts;
      const response = await running().app.inject({
        method: route.method,
        url: fillPath(route.path, params ?? {}) + queryText(query),
        headers: { token, "content-type": "application/json" },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      return response.json<Envelope>();
    },
    async open(method, path, body) {
      const payload = body === undefined ? "" : JSON.stringify(body);
      return await running().app.inject({
        method,
        url: path,
        headers: signedHeaders(callers, method, path, payload),
        ...(body === undefined ? {} : { payload }),
      });
    },
  };
}
