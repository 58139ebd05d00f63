/** Opens the database connections of a process, one pool per purpose. */
import type pg from "pg";
import type { Logger } from "pino";
import type { Config } from "#platform/config";
import { openDb, openPool } from "./connection.ts";
import type { ConnectionConfig, Db } from "./connection.ts";
import type { Measured } from "#platform/http/metrics";
import { certificateMeasured, poolsMeasured, diskMeasured } from "#platform/host-metrics";
import { databaseMeasured } from "./topology.ts";

/** Default time limit of a statement (behaviour §9). Draws, probes and exports have their own limits. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** Time limit of a draw's statement, short so that the platform soon learns to repeat the draw. */
const DRAW_TIMEOUT_MS = 8_000;
/** Time limit of a query of `/readyz`. After this time its caller has given up. */
const PROBE_TIMEOUT_MS = 3_000;
/** Time limit of a statement for a download. */
const EXPORT_TIMEOUT_MS = 30 * 60_000;

/** These pools repeat a few statements that run faster than PostgreSQL plans them. */
const PREPARED = ["draws", "ingest", "worker"];

/** One pool per purpose, so no purpose waits for the connections of another. */
export interface Connections {
  /** Serves operators' calls and the platform's reads. */
  readonly db: Db;
  readonly drawDb: Db;
  readonly ingestDb: Db;
  readonly workerDb: Db;
  /** Serves sealing, folding and maintenance. */
  readonly upkeepDb: Db;
  /**
   * `exportDb` serves files and `readDb` serves figures. Their data may be older, so no decision about money uses them.
   */
  readonly exportDb: Db;
  readonly readDb: Db;
  readonly probeDb: Db;
  /** Gauges of the pools, the disk, the wallet's certificate and the database. */
  readonly measured: readonly Measured[];
}

function measuredOf(config: Config, pools: ReadonlyMap<string, pg.Pool>, db: Db): Measured[] {
  const { wallet, dataDir, databaseUrl } = config;
  return [
    poolsMeasured(pools),
    ...diskMeasured(dataDir),
    ...(wallet?.url.startsWith("https:") === true ? [certificateMeasured(wallet.url)] : []),
    ...databaseMeasured(db, databaseUrl !== null),
  ];
}

/** Opens all connections and gives `onClose` the function that closes each pool. */
export function openConnections(
  connection: ConnectionConfig,
  { config, log }: { readonly config: Config; readonly log: Logger },
  onClose: (step: () => Promise<void>) => void,
): Connections {
  const readUrl = config.databaseReadUrl;
  const standby = readUrl === null ? connection : { connectionString: readUrl };
  const pools = new Map<string, pg.Pool>();
  const open = (
    purpose: string,
    max: number,
    statementTimeoutMs = STATEMENT_TIMEOUT_MS,
    on = connection,
  ) => {
    const name = `red-packet ${purpose}`;
    const isPrepared = PREPARED.includes(purpose);
    const onFault = (fault: Error) => log.warn({ err: fault }, "database connection lost");
    const pool = openPool(on, { max, name, statementTimeoutMs, isPrepared, onFault });
    pools.set(purpose, pool);
    const db = openDb(pool);
    onClose(() => db.destroy());
    return db;
  };
  const { web, draws, ingest, worker, upkeep, exports } = config.connections;
  const probeDb = open("probe", 1, PROBE_TIMEOUT_MS);
  // The gauges leave out the probe pool: the statements of a scrape always wait for its one connection.
  pools.delete("probe");
  const db = open("web", web);
  return {
    db,
    readDb: readUrl === null ? db : open("figures", web, STATEMENT_TIMEOUT_MS, standby),
    drawDb: open("draws", draws, DRAW_TIMEOUT_MS),
    ingestDb: open("ingest", ingest),
    workerDb: open("worker", worker),
    upkeepDb: open("upkeep", upkeep),
    exportDb: open("exports", exports, EXPORT_TIMEOUT_MS, standby),
    probeDb,
    measured: measuredOf(config, pools, probeDb),
  };
}
