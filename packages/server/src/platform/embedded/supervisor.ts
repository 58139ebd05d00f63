/**
 * Runs the embedded database of a data folder, a PostgreSQL that needs no installation. A server owns the database and
 * restarts it when it dies. Commands use it as guests, with or without a running server.
 */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { APPLICATION, ensureApplication, prepareCluster, SUPERUSER } from "./cluster.ts";
import type { Cluster } from "./cluster.ts";
import { ensurePostmaster, stopPostmaster } from "./postmaster.ts";
import { isPassing, moveIn, moveOut } from "./tenancy.ts";
import type { Role } from "./tenancy.ts";

/** Longest wait for a PostgreSQL that is stopping or recovering, in addition to the wait for its start. */
const PASSING_MS_MAX = 60_000;
const RETRY_MS = 2_000;

export interface EmbeddedLog {
  info(message: string): void;
  warn(message: string): void;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log?: EmbeddedLog;
  /**
   * Called if another server took the database while PostgreSQL was down. This process must then exit. Guests do not
   * need it.
   */
  readonly onLost?: (reason: Error) => void;
}

export interface EmbeddedConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

export interface EmbeddedDatabase {
  /** Connects as the program's role to its database. The values stay the same when PostgreSQL restarts. */
  readonly connection: EmbeddedConnection;
  /** `cold`: created and started. `warm`: started. `attached`: found running. */
  readonly mode: "cold" | "warm" | "attached";
  /**
   * Stops using the database; the last user stops PostgreSQL. Close the connections of this process first, because they
   * are cut off.
   */
  stop(): Promise<void>;
}

const SILENT: EmbeddedLog = { info: () => {}, warn: () => {} };

interface Tenant {
  readonly client: pg.Client;
  readonly socketFolder: string;
  readonly mode: "warm" | "attached";
}

type Entry = Tenant | { readonly takenBy: string };

async function enterOnce(cluster: Cluster, role: Role): Promise<Entry> {
  const { postmaster, mode } = await ensurePostmaster(cluster);
  const { socketFolder } = postmaster;
  const { password } = cluster;
  const answer = await moveIn(
    { host: socketFolder, port: 5432, user: SUPERUSER, password, database: "postgres" },
    role,
  );
  if ("takenBy" in answer) {
    return answer;
  }
  try {
    await ensureApplication(answer.client, password);
  } catch (error) {
    await answer.client.end();
    throw error;
  }
  return { client: answer.client, socketFolder, mode };
}

/**
 * Starts PostgreSQL if needed and takes the locks of the role. If another server owns the database, returns the name of
 * that server.
 */
async function enter(cluster: Cluster, role: Role): Promise<Entry> {
  const deadline = Date.now() + PASSING_MS_MAX;
  for (;;) {
    try {
      return await enterOnce(cluster, role);
    } catch (error) {
      // The last user may be stopping PostgreSQL right now. The next try starts it again.
      if (!isPassing(error) || Date.now() > deadline) {
        throw error;
      }
      await sleep(50);
    }
  }
}

function takenError(cluster: Cluster, takenBy: string): Error {
  return new Error(
    `the embedded database in ${cluster.place.root} is in use by another server: ${takenBy}. Stop that one, give this one a DATA_DIR of its own, or set DATABASE_URL to share a PostgreSQL`,
  );
}

/**
 * Enters again each time the connection ends. Stops when another server owns the database or when the caller calls the
 * returned function.
 */
function guard(
  cluster: Cluster,
  first: Tenant,
  log: EmbeddedLog,
  onLost: (e: Error) => void,
): () => Promise<Tenant | null> {
  const control = new AbortController();
  const { signal } = control;

  async function enterAgain(): Promise<Tenant | null> {
    while (!signal.aborted) {
      try {
        const entry = await enter(cluster, "owner");
        if ("client" in entry) {
          return entry;
        }
        onLost(takenError(cluster, entry.takenBy));
        return null;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        log.warn(`the embedded PostgreSQL does not start, trying again: ${reason}`);
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
      }
    }
    return null;
  }

  async function watch(): Promise<Tenant | null> {
    let tenant: Tenant | null = first;
    while (tenant !== null) {
      await once(tenant.client, "end", { signal }).catch(() => {});
      if (signal.aborted) {
        return tenant;
      }
      log.warn("the connection to the embedded PostgreSQL broke: entering again");
      await tenant.client.end().catch(() => {});
      tenant = await enterAgain();
      if (tenant !== null) {
        log.info(`the embedded PostgreSQL is there again (${tenant.mode})`);
      }
    }
    return null;
  }

  const watching = watch();
  return () => {
    control.abort();
    return watching;
  };
}

async function leave(cluster: Cluster, tenant: Tenant, log: EmbeddedLog): Promise<void> {
  try {
    await moveOut(tenant.client, async () => {
      if (!(await stopPostmaster(cluster.place))) {
        log.warn("the embedded PostgreSQL is still ending");
      }
    });
  } catch (error) {
    // PostgreSQL has died, so there is nothing to stop. The next start recovers.
    const reason = error instanceof Error ? error.message : String(error);
    log.warn(`the embedded PostgreSQL was gone before it was left: ${reason}`);
  }
}

async function open(options: EmbeddedOptions, role: Role): Promise<EmbeddedDatabase> {
  const log = options.log ?? SILENT;
  const cluster = await prepareCluster(options.dataDir);
  const tenant = await enter(cluster, role);
  if ("takenBy" in tenant) {
    throw takenError(cluster, tenant.takenBy);
  }
  const mode = cluster.isNew && tenant.mode === "warm" ? "cold" : tenant.mode;
  log.info(`embedded PostgreSQL in ${cluster.place.root} (${mode})`);
  const onLost = options.onLost ?? ((reason) => log.warn(reason.message));
  const release =
    role === "owner"
      ? guard(cluster, tenant, log, onLost)
      : async () => await Promise.resolve(tenant);
  let leaving: Promise<void> | null = null;

  async function stop(): Promise<void> {
    const held = await release();
    if (held !== null) {
      await leave(cluster, held, log);
    }
  }

  return {
    connection: {
      host: tenant.socketFolder,
      port: 5432,
      user: APPLICATION,
      password: cluster.password,
      database: APPLICATION,
    },
    mode,
    stop() {
      leaving ??= stop();
      return leaving;
    },
  };
}

/** Opens the database as its owner. Throws if another server owns the database or PostgreSQL does not start. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  return await open(options, "owner");
}

/** Opens the database for a command. `stop` stops PostgreSQL unless other processes use it. */
export async function attachEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  return await open(options, "guest");
}
