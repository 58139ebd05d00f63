/** The application on the file's own database, with an operator and a platform key. */
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import type { Envelope } from "@red/contract/platform/envelope";
import type { Data, Input, Route } from "@red/contract/platform/route";
import { CODE_HEADER } from "@red/contract/identity/session";
import { drawQueue } from "#draws/draw-queue";
import { chanceMemory, chanceReader } from "#chances/chance-reader";
import { secretBox } from "#platform/secret-box";
import { buildApp } from "#app";
import type { AppDeps } from "#app";
import type { Services, Settings } from "#platform/handlers";
import { newCallers, requestOf, seedCallers, signedHeaders } from "#test/test-callers";
import type { Callers } from "#test/test-callers";
import type { TestDb } from "#test/test-db";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { pino } from "pino";
import type { Logger } from "pino";
import { afterAll, beforeAll, expect } from "vitest";

export const TEST_SETTINGS: Settings = {
  timeZone: "Asia/Shanghai",
  redCodeDefault: "RED_PACKET",
  demo: false,
  wallet: "configured",
  walletRetentionDays: 120,
  prizeStockShown: "words",
  tokenInAddress: true,
};

/** Headers added to those of `root-op`, or replacing them. */
type Headers = Readonly<Record<string, string>>;

/** A one-time code. */
type Coded<R extends Route> = Input<R> & { readonly code?: string };

export interface TestApp {
  readonly app: FastifyInstance;
  readonly services: Services;
  /** The parts to build another application. */
  readonly deps: AppDeps;
  /** Access token of operator `root-op`. */
  readonly token: string;
  readonly key: string;
  readonly secret: string;
  call<R extends Route>(route: R, input: Coded<R>, headers?: Headers): Promise<Envelope>;
  /** The data of a call that must succeed; the application checks it against the contract. */
  read<R extends Route>(route: R, input: Coded<R>, headers?: Headers): Promise<Data<R>>;
  /** Makes a signed call and returns the raw response. */
  open(method: "GET" | "POST", path: string, body?: object): Promise<LightMyRequestResponse>;
  /** Signs any call of the platform. */
  sign(method: string, path: string, payload: string | Buffer): Record<string, string>;
}

/** A wallet that has paid nothing. */
async function* noStatement(): AsyncGenerator<never> {}

async function start(t: TestDb, options: TestAppOptions, callers: Callers) {
  const { consoleFolder = null, exports = tmpdir(), log = pino({ level: "silent" }) } = options;
  const secrets = secretBox(randomBytes(32));
  const services: Services = { settings: TEST_SETTINGS, secrets };
  const deps: AppDeps = {
    db: t.db,
    exportDb: t.db,
    readDb: t.db,
    exportRoom: { folder: exports, atOnce: 2 },
    ingestDb: t.db,
    services,
    draws: drawQueue(t.db),
    chances: chanceReader(t.db, chanceMemory()),
    statement: noStatement,
    health: {},
    probeDb: t.db,
    measured: [],
    program: "",
    log,
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
  /** The console's files; without them only the API is served. */
  readonly consoleFolder?: string;
  /** The folder for files of jobs. */
  readonly exports?: string;
  readonly log?: Logger;
}

/** Runs the application during the tests of the file. */
export function useTestApp(t: TestDb, options: TestAppOptions = {}): TestApp {
  let started: Awaited<ReturnType<typeof start>> | null = null;
  const callers = newCallers();
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
  const call: TestApp["call"] = async (route, input, headers) => {
    const { payload, ...request } = requestOf(route, input);
    const { code } = input;
    const response = await running().app.inject({
      ...request,
      headers: {
        token: callers.token,
        "content-type": "application/json",
        ...(code !== undefined && { [CODE_HEADER]: code }),
        ...headers,
      },
      ...(payload === null ? {} : { payload }),
    });
    return response.json<Envelope>();
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
    ...callers,
    sign: (method, path, payload) => signedHeaders(callers, method, path, payload),
    call,
    async read(route, input, headers) {
      const answer = await call(route, input, headers);
      expect(answer).toMatchObject({ code: 200 });
      return answer.data as Data<typeof route>;
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
