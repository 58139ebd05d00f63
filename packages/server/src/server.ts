/** Assembles the server from its configuration. main.ts starts and stops it. */
import { mkdir } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureDefaultMessageCode } from "#rounds/save-lookup";
import { drawQueue } from "#draws/draw-queue";
import { chanceMemory, chanceReader } from "#chances/chance-reader";
import { ensureFirstOperator } from "#identity/change-operator";
import { scheduleFor } from "#payouts/payout-rules";
import { secretBox } from "#platform/secret-box";
import type { SecretBox } from "#platform/secret-box";
import { ensureSecretKeyRight } from "#platform/secret-canary";
import { selectIsEmpty } from "#demo/demo-sql";
import { ensureDemoRounds, isDemo, seedDemo } from "#demo/seed-demo";
import type { Settings } from "#platform/handlers";
import { ensureSecretKey } from "#platform/config";
import type { Config, WalletConfig } from "#platform/config";
import { openDb, openPool, READ_ONLY, TOO_MANY_CONNECTIONS } from "#platform/db/connection";
import type { ConnectionConfig, Db } from "#platform/db/connection";
import { hasSqlState } from "#platform/db/constraints";
import { startEmbedded } from "#platform/embedded/supervisor";
import type { Statement } from "#finance/reconciliation-routes";
import { migrate, readSchemaState, schemaFault } from "#platform/db/migrate";
import { openConnections } from "#platform/db/pools";
import { ON_STANDBY } from "#platform/db/topology";
import { startMaintenance } from "#platform/upkeep-job";
import { buildApp, ROOMS } from "./app.ts";
import type { Health } from "#platform/http/health";
import type { JobDeps } from "#platform/http/room";
import { startFolding } from "#platform/rollups/rollup-job";
import { deleteOldExports, startDeletingExports } from "#records/export-files";
import { startPayoutWorker } from "#payouts/payout-job";
import type { PayoutWorker } from "#payouts/payout-job";
import { walletStatement } from "#finance/wallet-statement";
import { stopIfRestored } from "#evidence/restored-database";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import type { Logger } from "pino";
import { ensureDemoKey, startDemoPlatform, startDemoWallet } from "#demo/demo-processes";

/** How often missing rounds of today's demonstration are created. */
const DEMO_CHECK_MS = 60 * 60_000;
/** How long `/readyz` returns 503 before a process behind a proxy closes, so that the proxy sends calls elsewhere. */
const LEAVE_MS = 3_000;
/** How long running requests may take after a stop signal. */
const DRAIN_MS = 5_000;
export interface Server {
  /** Lines for the terminal: the address, and the first password if one was generated. */
  readonly greeting: string;
  readonly url: string;
  stop(): Promise<void>;
}

interface StartOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly consoleFolder: string;
  /** Called when another server has taken the embedded database. This process must then exit. */
  readonly onLost: (reason: Error) => void;
}

/** Steps to stop the server, run in reverse order. */
interface Closing {
  add(step: () => Promise<void>): void;
  /** Adds a step that stops `started`, and returns `started`. */
  keep<T extends { stop(): Promise<void> }>(started: T): T;
  /** Runs every step even if one fails, then throws an AggregateError. */
  run(): Promise<void>;
}

function closingSteps(): Closing {
  const steps: (() => Promise<void>)[] = [];
  const add = (step: () => Promise<void>) => void steps.unshift(step);
  return {
    add,
    keep: (started) => {
      add(() => started.stop());
      return started;
    },
    run: async () => {
      const faults: unknown[] = [];
      for (const step of steps.splice(0)) {
        await step().catch((fault: unknown) => faults.push(fault));
      }
      if (faults.length > 0) {
        throw new AggregateError(faults, "not everything stopped cleanly");
      }
    },
  };
}

async function connect(options: StartOptions, closing: Closing): Promise<ConnectionConfig> {
  const { config, log } = options;
  if (config.databaseUrl !== null) {
    return { connectionString: config.databaseUrl };
  }
  const embedded = await startEmbedded({
    dataDir: config.dataDir,
    log: {
      info: (message) => log.info({ postgres: true }, message),
      warn: (message) => log.warn({ postgres: true }, message),
    },
    onLost: options.onLost,
  });
  return closing.keep(embedded).connection;
}

/** Creates or continues the demonstration where allowed. Returns whether the demonstration runs (behaviour §7). */
async function prepareDemo(db: Db, config: Config, log: Logger): Promise<boolean> {
  const isAllowed = config.demo === "auto" && config.databaseUrl === null && config.wallet === null;
  const now = new Date();
  const zone = { timeZone: config.businessTimeZone, redCodeDefault: config.redCodeDefault };
  if (await isDemo(db)) {
    if (isAllowed) {
      await ensureDemoRounds(db, zone, now);
    }
    return isAllowed;
  }
  if (!isAllowed || !(await selectIsEmpty(db))) {
    return false;
  }
  await seedDemo(db, zone, now);
  log.info("demonstration data made");
  return true;
}

/** Throws if demonstration prizes would reach a real wallet. Returns whether the database has demonstration data. */
async function refuseRealWallet(db: Db, config: Config): Promise<boolean> {
  const isMarked = await isDemo(db);
  if (isMarked && config.wallet !== null) {
    throw new Error(
      "this database holds demonstration data and WALLET_URL names a wallet: use another DATA_DIR or DATABASE_URL, or leave WALLET_* unset",
    );
  }
  return isMarked;
}

/** Number of retries on the pool of calls when no connection is left for probes, and the pause between retries. */
const ASKED_AGAIN = { times: 10, every_ms: 100 };

/**
 * Checks the database for `/readyz` on a separate connection, so that probes do not wait for calls. If
 * PostgreSQL has too many connections and rejects this one, the checks use the pool of calls.
 */
function healthOf(probeDb: Db, db: Db): Health {
  async function asked<T>(ask: (on: Db) => Promise<T>): Promise<T> {
    for (let again = 0; ; again += 1) {
      try {
        return await ask(again === 0 ? probeDb : db);
      } catch (fault) {
        if (again === ASKED_AGAIN.times || !hasSqlState(fault, TOO_MANY_CONNECTIONS)) {
          throw fault;
        }
        // While all connections of the pool are busy, the pool tries to open another one, which fails.
        await sleep(again === 0 ? 0 : ASKED_AGAIN.every_ms);
      }
    }
  }
  return {
    database: async () => {
      await asked(async (on) => await sql`select 1`.execute(on));
      return null;
    },
    migrations: async () => schemaFault(await asked(readSchemaState)),
  };
}

function urlOf(address: AddressInfo | string | null, host: string): string {
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const shown = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${shown.includes(":") ? `[${shown}]` : shown}:${port}`;
}

function greet(url: string, first: { name: string; password: string | null } | null): string {
  const lines = [`red packet console: ${url}/red/`];
  if (first !== null && first.password !== null) {
    lines.push(
      `first operator: ${first.name}`,
      `one-time password: ${first.password}`,
      "(shown this once; sign in and bind an authenticator within 24 hours)",
    );
  }
  return lines.join("\n");
}

/**
 * Waits until the proxy sends no more calls, lets running requests end, then closes the remaining
 * connections (running: SIGTERM).
 */
async function closeApp(app: FastifyInstance, leaving: Promise<void> | null): Promise<void> {
  await leaving;
  const cut = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
  }
}

/** Starts everything that the role needs, and stops it again if a step fails. */
export async function startServer(options: StartOptions): Promise<Server> {
  const closing = closingSteps();
  try {
    return await start(options, closing);
  } catch (fault) {
    await closing.run().catch(() => {});
    throw fault;
  }
}

async function bringSchema(connection: ConnectionConfig, log: Logger): Promise<string> {
  const onFault = () => {};
  // A migration may take longer than the statement timeout of a pool.
  const pool = { max: 2, name: "red-packet migrate", statementTimeoutMs: 0, onFault };
  const db = openDb(openPool(connection, pool));
  try {
    const ran = await migrate(db).catch((fault: unknown) => {
      throw hasSqlState(fault, READ_ONLY) ? new Error(ON_STANDBY, { cause: fault }) : fault;
    });
    if (ran.length > 0) {
      log.info({ migrations: ran }, "schema brought up to date");
    }
    return (await readSchemaState(db)).program;
  } finally {
    await db.destroy();
  }
}

async function prepareDatabase(db: Db, config: Config) {
  const secrets = secretBox(config.secretKey ?? ensureSecretKey(config.dataDir));
  await ensureSecretKeyRight(db, secrets);
  await ensureDefaultMessageCode(db, config.redCodeDefault);
  return { secrets, first: await ensureFirstOperator(db, config.admin) };
}

/** Starts the demo wallet and platform (behaviour §7). Returns the wallet. */
async function startDemo(
  { config, log }: StartOptions,
  closing: Closing,
  { db, secrets, url }: { readonly db: Db; readonly secrets: SecretBox; readonly url: string },
): Promise<WalletConfig> {
  const timer = setInterval(() => {
    prepareDemo(db, config, log).catch((fault: unknown) => {
      log.warn({ err: fault }, "demonstration rounds not made");
    });
  }, DEMO_CHECK_MS);
  closing.add(async () => clearInterval(timer));
  const platform = await ensureDemoKey(db, secrets, "platform");
  const callback = await ensureDemoKey(db, secrets, "wallet");
  const { dataDir } = config;
  const demo = closing.keep(await startDemoWallet({ dataDir, baseUrl: url, callback, log }));
  closing.keep(startDemoPlatform({ baseUrl: url, platform, log }));
  return demo.wallet;
}

/** Starts the payout worker. If the database was restored to an earlier state, payouts are stopped first. */
async function startPayouts(
  on: { db: Db; connection: ConnectionConfig; wallet: WalletConfig; isDemo: boolean },
  { config, log }: StartOptions,
): Promise<PayoutWorker> {
  const { db, connection, wallet } = on;
  if (await stopIfRestored(db, config.dataDir)) {
    log.error("the database was put back to an earlier state: payouts are stopped");
  }
  return await startPayoutWorker({
    db,
    connection,
    wallet,
    log,
    timeZone: config.businessTimeZone,
    // The demo wallet has another port after each start.
    ...(on.isDemo ? { walletName: "demo" } : {}),
    perSecond: config.walletMaxPerSecond,
    schedule: scheduleFor(config.walletRetentionDays),
  });
}

function startUpkeep(deps: JobDeps, closing: Closing): void {
  const { db, config, log } = deps;
  const rooms = Object.values(ROOMS);
  if (config.role !== "web") {
    closing.keep(startFolding({ db, log }));
    rooms.flatMap(({ jobs }) => jobs?.(deps) ?? []).forEach(closing.keep);
  }
  const chores = rooms.flatMap((each) => each.chores?.(config) ?? []);
  closing.keep(startMaintenance({ db, chores, log }));
}

function settingsOf(config: Config, isMarked: boolean, demo: boolean): Settings {
  return {
    timeZone: config.businessTimeZone,
    redCodeDefault: config.redCodeDefault,
    demo: isMarked,
    prizeStockShown: config.prizeStockShown,
    tokenInAddress: config.tokenInAddress,
    wallet: config.wallet === null ? (demo ? "demo" : "none") : "configured",
    walletRetentionDays: config.walletRetentionDays,
  };
}

async function start(options: StartOptions, closing: Closing): Promise<Server> {
  const { config, log } = options;
  await mkdir(config.dataDir, { recursive: true, mode: 0o711 });
  const connection = await connect(options, closing);
  const program = await bringSchema(connection, log);
  const connections = openConnections(connection, options, closing.add);
  const { db, drawDb, probeDb, upkeepDb, workerDb } = connections;
  const { secrets, first } = await prepareDatabase(db, config);
  const demo = await prepareDemo(db, config, log);
  const isMarked = await refuseRealWallet(db, config);
  const settings = settingsOf(config, isMarked, demo);

  let worker: PayoutWorker | null = null;
  let wallet = config.wallet;
  let leaving: Promise<void> | null = null;
  const stopped = new AbortController();
  closing.add(async () => stopped.abort());
  const statement: Statement = (span) =>
    wallet === null ? null : walletStatement(wallet, span, stopped.signal);
  const needsWorker = config.role !== "web" && settings.wallet !== "none";
  const memory = chanceMemory(settings.timeZone);
  const app = await buildApp({
    ...connections,
    exportRoom: { folder: config.dataDir, atOnce: config.connections.exports },
    services: { settings, secrets },
    draws: drawQueue(drawDb, memory),
    chances: chanceReader(db, memory),
    statement,
    health: {
      ...healthOf(probeDb, db),
      worker: async () => (needsWorker && worker === null ? "not started" : null),
      process: async () => (leaving === null ? null : "stopping"),
    },
    program,
    log,
    trustProxy: config.trustProxy,
    consoleFolder: existsSync(options.consoleFolder) ? options.consoleFolder : null,
    metricsPort: config.metricsPort,
    checkAnswers: false,
    apiCalls: config.role !== "worker",
  });
  closing.add(() => closeApp(app, leaving));
  // Data erased while this process was stopped must not be served any more.
  const { dataDir } = config;
  await deleteOldExports(dataDir)(db);
  closing.keep(startDeletingExports({ db: upkeepDb, connection, dataDir, log }));
  await app.listen({ port: config.port, host: config.host });
  const url = urlOf(app.server.address(), config.host);

  if (demo) {
    wallet = await startDemo(options, closing, { db, secrets, url });
  }
  if (needsWorker && wallet !== null) {
    const on = { db: workerDb, connection, wallet, isDemo: demo };
    worker = closing.keep(await startPayouts(on, options));
  }
  startUpkeep({ db: upkeepDb, workerDb, secrets, connection, config, log }, closing);
  log.info({ url, role: config.role, demo, wallet: settings.wallet }, "ready");
  const stop = async () => {
    leaving = sleep(config.trustProxy === false ? 0 : LEAVE_MS);
    await closing.run();
  };
  return { greeting: greet(url, first), url, stop };
}
