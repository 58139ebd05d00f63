/**
 * The database connection and its two handles. Reads take a Db; writes take a Tx, which only
 * `inTransaction` makes, so that no query of a write can leave its transaction.
 */
import { Kysely, PostgresDialect, sql } from "kysely";
import type { Transaction } from "kysely";
import pg from "pg";
import type { Database } from "./schema.ts";

export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

const INT8 = 20;
/** Type of sums; none here has fractions. */
const NUMERIC = 1700;

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`a bigint beyond 2^53 came from the database: ${text}`);
  }
  return value;
}

/** Types of values read from the database: int8 as number, sums as bigint, dates as text, instants as Date. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === INT8 && format !== "binary") {
      return parseInt8;
    }
    if (oid === NUMERIC && format !== "binary") {
      return BigInt;
    }
    // A calendar day has no zone: pg would make it midnight of this process's zone.
    if (oid === pg.types.builtins.DATE) {
      return (text: string) => text;
    }
    return pg.types.getTypeParser(oid, format);
  },
};

export interface PoolOptions {
  readonly max: number;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  /** A statement that runs longer is ended by the server, or given up here two seconds later; 0 for none. */
  readonly statementTimeoutMs: number;
  /** Each connection prepares its statements: for a purpose that has few and repeats them. */
  readonly isPrepared?: boolean;
  /** Faults of idle connections, such as a restart of PostgreSQL: to be logged, never a crash. */
  readonly onFault: (fault: Error) => void;
}

export type ConnectionConfig = Pick<
  pg.PoolConfig,
  "connectionString" | "host" | "port" | "user" | "password" | "database"
>;

/** SQLSTATE of a commit that a standby may not have. */
export const COMMIT_IN_DOUBT = "08007";

/** The function of PostgreSQL that waits for a standby; unlike its messages it is not translated. */
const WAIT_FOR_STANDBY = "SyncRepWaitForLSN";

/** One signature for all overloads: a statement answers a promise. */
type Query = (...given: unknown[]) => unknown;

function wrapQuery(client: pg.PoolClient, wrapped: (query: Query, given: unknown[]) => unknown) {
  const query = client.query.bind(client) as Query;
  Object.assign(client, { query: (...given: unknown[]) => wrapped(query, given) });
}

/**
 * Makes a commit fail whose wait for a standby was cut short: PostgreSQL reports it as done with only a
 * warning, but a failover would lose it. A retry under the same number finds what became of it.
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

/** pg's own words for an answer that did not come within `query_timeout`. */
export const NO_ANSWER = "Query read timeout";

/** SQLSTATE of a write on a standby. */
export const READ_ONLY = "25006";

/** SQLSTATE of a connection too many. */
export const TOO_MANY_CONNECTIONS = "53300";

/**
 * Drops a connection that is of no use: at its release when its server has become a standby; at once when an answer did not
 * come, since the network is cut or a commit waits for a standby that is away, which no time-out of the server ends.
 */
function dropUseless(client: pg.PoolClient, standbys: WeakSet<pg.PoolClient>): void {
  const judged = (fault: unknown): never => {
    if (fault instanceof pg.DatabaseError && fault.code === READ_ONLY) {
      standbys.add(client);
    } else if (fault instanceof Error && fault.message === NO_ANSWER) {
      // The pool drops a client that ends; the stream would wait for a peer that is away.
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

/** Statements that a connection prepares at most; a text that varies without end must not fill its memory. */
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

/** A peer that is gone is noticed within twenty seconds. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
const IDLE_TIMEOUT_MS = 600_000;
/** The server's own time-out comes first, since it leaves the connection usable. */
const ANSWER_LATE_MS = 2_000;

/** A pool of connections; the caller ends it. */
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
    // A new connection reads its catalogs and plans everything anew, which takes ten times as long as a page.
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
    // Compiling takes seconds: draws wait for it. And a plan made while a table was empty would read all of it until the
    // next analyze; all that are prepared look up by key.
    const seqScan = options.isPrepared === true ? "; set enable_seqscan = off" : "";
    void client.query(`set jit = off${seqScan}`).catch(options.onFault);
  });
  return pool;
}

/** Kysely over a pool. Destroying it ends the pool. */
export function openDb(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

/** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return await db.transaction().execute(work);
}

/**
 * Runs writes that are not audited and whose loss harms nobody, such as when a key was last used: their commit waits neither
 * for the disk nor for a standby, so that what only reads goes on without one.
 */
export async function inPassing(db: Db, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`set local synchronous_commit = off`.execute(tx);
    await work(tx);
  });
}

/** Runs reads on one unchanging view of the database, so that what they find belongs together. */
export async function inOneView<T>(db: Db, work: (view: Db) => Promise<T>): Promise<T> {
  return await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(work);
}
