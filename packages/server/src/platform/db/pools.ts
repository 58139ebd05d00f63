/** The database connections of a process, by purpose. */
import type pg from "pg";
import type { Logger } from "pino";
import type { Config } from "#platform/config";
import { openDb, openPool } from "./connection.ts";
import type { ConnectionConfig, Db } from "./connection.ts";
import type { Measured } from "#platform/http/metrics";
import { certificateMeasured, poolsMeasured, diskMeasured } from "#platform/host-metrics";
import { databaseMeasured } from "./topology.ts";

/** Limits every statement but those of exports (behaviour §9). */
const STATEMENT_TIMEOUT_MS = 30_000;
/** Limits a statement of a draw: a platform hears soon that it should repeat it. */
const DRAW_TIMEOUT_MS = 8_000;
/** Limits a query of `/readyz`: after this its caller has given up. */
const PROBE_TIMEOUT_MS = 3_000;
/** Limits a download, which takes as long as its reader. */
const EXPORT_TIMEOUT_MS = 30 * 60_000;

/** They repeat few statements, which take less time than planning them. */
const PREPARED = ["draws", "ingest", "worker"];

/** Pools by purpose: none waits for another, a probe for nobody. */
export interface Connections {
  /** Operators' calls and the platform's reads. */
  readonly db: Db;
  readonly drawDb: Db;
  readonly ingestDb: Db;
  readonly workerDb: Db;
  /** Sealing, folding and maintenance. */
  readonly upkeepDb: Db;
  /** Files and figures, which may lag: money is never decided on them. */
  readonly exportDb: Db;
  readonly readDb: Db;
  readonly probeDb: Db;
  /** Figures of what the process stands on. */
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

/** Opens them; `onClose` takes what closes each. */
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
  // A scrape's own statements always wait for that one connection.
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
