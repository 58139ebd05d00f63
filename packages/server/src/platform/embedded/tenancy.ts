/**
 * Tracks which processes use the embedded database. Every user has a shared advisory lock, and the one server also has
 * the owner's lock; the locks end with the connection of the process. The last user stops PostgreSQL. If that process
 * is killed, a watch inside PostgreSQL stops it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

export type Role = "owner" | "guest";

/** First half of our lock keys, an arbitrary constant. */
const LOCK_SPACE = 0x52_45_44;
const OWNER_LOCK = 1;
const USER_LOCK = 2;
const WATCH_LOCK = 3;

/**
 * The connection of a killed server ends within milliseconds. A connection that lasts longer belongs to a live server.
 */
const OWNER_WAIT_MS = 1_500;
const USER_WAIT_MS = 10_000;
const GOODBYE_WAIT_MS = 500;

async function tryLock(client: pg.Client, attempt: string, lock: number, waitMs: number) {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(`select ${attempt}($1, $2) as taken`, [
      LOCK_SPACE,
      lock,
    ]);
    if (rows[0]?.taken === true) {
      return true;
    }
    if (Date.now() >= deadline) {
      return false;
    }
    await sleep(50);
  }
}

const WATCH_NAME = "red-packet watch";

/**
 * Checks every three seconds whether any process uses the database, and stops PostgreSQL after two checks without a
 * user. The watch runs inside PostgreSQL, so it needs no client and sees every user. It commits at each check to
 * release its snapshot. A process that arrives during the stop waits for the lock.
 */
const WATCH = `
  do $$
  declare unused int := 0;
  begin
    while unused < 2 or not pg_try_advisory_lock(${LOCK_SPACE}, ${USER_LOCK}) loop
      commit;
      perform pg_sleep(3);
      unused := case when exists (
        select from pg_locks where locktype = 'advisory' and classid = ${LOCK_SPACE} and objid = ${USER_LOCK}
      ) then 0 else unused + 1 end;
    end loop;
    execute format('copy (select where false) to program %L',
      'kill -INT ' || split_part(pg_read_file('postmaster.pid'), e'\\n', 1));
  end $$`;

/** Starts the watch if no watch runs. The session of the watch outlives this process. */
async function startWatch(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: WATCH_NAME });
  client.on("error", () => {});
  await client.connect();
  if (await tryLock(client, "pg_try_advisory_lock", WATCH_LOCK, 0)) {
    client.query(WATCH).catch(() => {});
    // The client ends with PostgreSQL and must not keep this process alive. The types lack `unref`.
    (client as pg.Client & { unref(): void }).unref();
  } else {
    await client.end();
  }
}

async function ownerName(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name
     from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and l.mode = 'ExclusiveLock'
       and l.classid = $1 and l.objid = $2`,
    [LOCK_SPACE, OWNER_LOCK],
  );
  return rows[0]?.name ?? "server";
}

/** True if the error comes from a PostgreSQL that is stopping, starting or recovering. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false;
  }
  const code = "code" in error ? String(error.code) : "";
  return (
    /^57P0[123]$|^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE)$/.test(code) ||
    error.message.startsWith("Connection terminated") ||
    error.message.includes("not queryable")
  );
}

/** Connects and takes the locks of the role. If another server owns the database, `takenBy` names that server. */
export async function moveIn(
  connection: pg.ClientConfig,
  role: Role,
): Promise<{ client: pg.Client } | { takenBy: string }> {
  const name = role === "owner" ? "server" : "command";
  const client = new pg.Client({
    ...connection,
    application_name: `red-packet ${name} (process ${process.pid})`,
  });
  // "end" reports a lost connection; an "error" without a handler would end this process.
  client.on("error", () => {});
  await client.connect();
  try {
    if (!(await tryLock(client, "pg_try_advisory_lock_shared", USER_LOCK, USER_WAIT_MS))) {
      throw new Error("the embedded database is being stopped and does not end");
    }
    const isFree =
      role === "guest" ||
      (await tryLock(client, "pg_try_advisory_lock", OWNER_LOCK, OWNER_WAIT_MS));
    if (isFree) {
      await startWatch(connection);
      return { client };
    }
    const takenBy = await ownerName(client);
    await client.end();
    return { takenBy };
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Waits briefly until other connections have closed, because cutting them off would look like an error. */
async function waitForOthers(client: pg.Client): Promise<void> {
  const deadline = Date.now() + GOODBYE_WAIT_MS;
  while (Date.now() < deadline) {
    const { rowCount } = await client.query(
      `select from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid()
         and application_name <> $1 limit 1`,
      [WATCH_NAME],
    );
    if (rowCount === 0) {
      return;
    }
    await sleep(10);
  }
}

/** Releases the locks. If no other user is left, runs `turnOff` while no process can move in. */
export async function moveOut(client: pg.Client, turnOff: () => Promise<void>): Promise<void> {
  await client.query("select pg_advisory_unlock_all()");
  if (await tryLock(client, "pg_try_advisory_lock", USER_LOCK, 0)) {
    await waitForOthers(client);
    await turnOff();
  }
  await client.end().catch(() => {});
}
