/**
 * Opens database connections and defines their two handles. Reads take a Db; writes take a Tx, which only
 * `inTransaction` creates, so no query of a write can run outside its transaction.
 */
import { Kysely, PostgresDialect, sql } from "kysely";
import type { Transaction } from "kysely";
import pg from "pg";
import type { Database } from "./schema.ts";

export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

const INT8 = 20;
/** Type of sums. No sum here has a fraction. */
const NUMERIC = 1700;

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`a bigint beyond 2^53 came from the database: ${text}`);
  }
  return value;
}

/** Parses values from the database: int8 as number, sums as bigint, dates as text, instants as Date. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === INT8 && format !== "binary") {
      return parseInt8;
    }
    if (oid === NUMERIC && format !== "binary") {
      return BigInt;
    }
    // A calendar day has no time zone. pg would convert it to midnight in the zone of this process.
    if (oid === pg.types.builtins.DATE) {
      return (text: string) => text;
    }
    return pg.types.getTypeParser(oid, format);
  },
};

export interface PoolOptions {
  readonly max: number;
  /** Shown in pg_stat_activity as the name of the application. */
  readonly name: string;
  /**
   * The server cancels a statement that runs longer; two seconds later this process stops waiting. 0 means no limit.
   */
  readonly statementTimeoutMs: number;
  /** True if each connection prepares its statements. Only for pools that repeat a few statements. */
  readonly isPrepared?: boolean;
  /**
   * Receives errors of idle connections, such as a restart of PostgreSQL. The callback logs them, so the process does
   * not crash.
   */
  readonly onFault: (fault: Error) => void;
}

export type ConnectionConfig = Pick<
  pg.PoolConfig,
  "connectionString" | "host" | "port" | "user" | "password" | "database"
>;

/** SQLSTATE of a commit that a standby may not have. */
export const COMMIT_IN_DOUBT = "08007";

/** PostgreSQL function that waits for a standby. Unlike a message, its name is never translated. */
const WAIT_FOR_STANDBY = "SyncRepWaitForLSN";

/** One signature for all overloads of `query`. A statement returns a promise. */
type Query = (...given: unknown[]) => unknown;

function wrapQuery(client: pg.PoolClient, wrapped: (query: Query, given: unknown[]) => unknown) {
  const query = client.query.bind(client) as Query;
  Object.assign(client, { query: (...given: unknown[]) => wrapped(query, given) });
}

/**
 * Makes a commit fail if its wait for a standby was interrupted: PostgreSQL only warns, but a failover would lose the
 * commit. A retry with the same number finds out whether the commit was kept.
 */
function doubtUnreplicated(client: pg.PoolClient): void {
  let isInDoubt = false;
  client.on("notice", ({ routine }) => {
    isInDoubt ||= routine === WAIT_FOR_STANDBY;
  });
  const settled = (answer: unknown): unknown => {
    if (!isInDoubt) {
      return answer;
    }
    isInDoubt = false;
    const message = "a commit was not waited for until a standby had it";
    throw Object.assign(new pg.DatabaseError(message, 0, "error"), { code: COMMIT_IN_DOUBT });
  };
  wrapQuery(client, (query, given) => {
    const answer = query(...given);
    return answer instanceof Promise ? answer.then(settled) : answer;
  });
}

/** Error message of pg if no answer comes within `query_timeout`. */
export const NO_ANSWER = "Query read timeout";

/** SQLSTATE of a write on a standby. */
export const READ_ONLY = "25006";

export const TOO_MANY_CONNECTIONS = "53300";

/**
 * Drops a useless connection. If its server became a standby, the connection is dropped at its release. If an answer
 * did not come, the connection is dropped at once: no server timeout ends a cut network or a commit that waits for a
 * missing standby.
 */
function dropUseless(client: pg.PoolClient, standbys: WeakSet<pg.PoolClient>): void {
  const judged = (fault: unknown): never => {
    if (fault instanceof pg.DatabaseError && fault.code === READ_ONLY) {
      standbys.add(client);
    } else if (fault instanceof Error && fault.message === NO_ANSWER) {
      // The pool drops a client that has ended. The stream is destroyed, because it would wait for a server that does
      // not respond.
      void client.end().catch(() => {});
      client.connection.stream.destroy();
    }
    throw fault;
  };
  wrapQuery(client, (query, given) => {
    const answer = query(...given);
    return answer instanceof Promise ? answer.catch(judged) : answer;
  });
}

/**
 * Maximum number of prepared statements per connection, so that statements with varying text do not fill its memory.
 */
const PREPARED_MAX = 200;

/** Gives statements with parameters a name, so that PostgreSQL parses and plans each once per connection. */
function prepareStatements(client: pg.PoolClient): void {
  const names = new Map<string, string>();
  const nameOf = (text: string) => {
    const name = names.get(text) ?? (names.size < PREPARED_MAX ? `s${names.size}` : undefined);
    if (name !== undefined) {
      names.set(text, name);
    }
    return name;
  };
  wrapQuery(client, (query, given) => {
    const [text, values] = given;
    const isPlain = typeof text === "string" && Array.isArray(values) && values.length > 0;
    const name = isPlain ? nameOf(text) : undefined;
    return name === undefined ? query(...given) : query({ name, text, values });
  });
}

/** Detects a lost server within twenty seconds. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
const IDLE_TIMEOUT_MS = 600_000;
/** Delay after the server's own timeout. That timeout must come first, because it leaves the connection usable. */
const ANSWER_LATE_MS = 2_000;

/** Opens a pool of connections. The caller must end the pool. */
export function openPool(connection: ConnectionConfig, options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max: options.max,
    application_name: options.name,
    statement_timeout: options.statementTimeoutMs,
    query_timeout:
      options.statementTimeoutMs === 0 ? 0 : options.statementTimeoutMs + ANSWER_LATE_MS,
    ...KEEP_ALIVE,
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: 10_000,
    // A new connection reads catalogs and plans again, which takes ten times as long as loading a page.
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    types,
  });
  // Without both handlers a restart of PostgreSQL would end this process too.
  pool.on("error", options.onFault);
  const standbys = new WeakSet<pg.PoolClient>();
  pool.on("release", (_, client) => void (standbys.has(client) && client.end().catch(() => {})));
  pool.on("connect", (client) => {
    client.on("error", options.onFault);
    doubtUnreplicated(client);
    dropUseless(client, standbys);
    if (options.isPrepared === true) {
      prepareStatements(client);
    }
    // JIT compilation takes seconds, and draws would wait for it. Prepared statements find rows by key, but a plan made
    // on an empty table would scan the whole table until the next analyze.
    const seqScan = options.isPrepared === true ? "; set enable_seqscan = off" : "";
    void client.query(`set jit = off${seqScan}`).catch(options.onFault);
  });
  return pool;
}

/** Wraps a pool in Kysely. Destroying the Kysely instance ends the pool. */
export function openDb(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

/** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return await db.transaction().execute(work);
}

/**
 * Runs writes that are not audited and whose loss does no harm, such as the time of the last use of a key. Their commit
 * waits neither for the disk nor for a standby, so calls that only read keep working without a standby.
 */
export async function inPassing(db: Db, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`set local synchronous_commit = off`.execute(tx);
    await work(tx);
  });
}

/** Runs reads on one snapshot of the database, so that their results are consistent. */
export async function inOneView<T>(db: Db, work: (view: Db) => Promise<T>): Promise<T> {
  return await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(work);
}
