/** Asks every database machine by itself, past the balancer, to write: no two may both do so. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const EVERY_MS = 200;
const WAIT_MS = 1_500;

/** A write that a machine said is done. */
interface Done {
  readonly name: string;
  readonly id: string;
  /** Raised by each promotion. */
  readonly timeline: string;
  readonly sent: number;
  readonly heard: number;
}

const WRITE = `insert into failover_probe default values
  returning id, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline`;

/** `urlOf` names the address of a machine. */
export function startProbes(names: readonly string[], urlOf: (name: string) => string) {
  const done: Done[] = [];
  const stopped = new AbortController();

  async function probe(name: string): Promise<void> {
    let client: pg.Client | null = null;
    while (!stopped.signal.aborted) {
      const sent = Date.now();
      try {
        client ??= await connected(urlOf(name));
        const { rows } = await client.query(WRITE);
        done.push({ name, ...rows[0], sent, heard: Date.now() });
      } catch {
        // A standby, or nobody; a connection without an answer is of no more use.
        void client?.end().catch(() => {});
        client = null;
      }
      await sleep(EVERY_MS);
    }
    await client?.end().catch(() => {});
  }

  const running = names.map((name) => probe(name));
  return {
    done: done as readonly Done[],
    async stop(): Promise<void> {
      stopped.abort();
      await Promise.all(running);
    },
  };
}

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: WAIT_MS,
    query_timeout: WAIT_MS,
  });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Writes that two machines did in one timeline, or that an older timeline began after a newer one had answered. */
export function rivals(done: readonly Done[]): Done[] {
  const owners = new Map<string, string>();
  const found: Done[] = [];
  let newest = "";
  let since = Infinity;
  for (const one of done.toSorted((a, b) => a.heard - b.heard)) {
    const owner = owners.get(one.timeline) ?? one.name;
    owners.set(one.timeline, owner);
    if (one.timeline > newest) {
      [newest, since] = [one.timeline, one.heard];
    }
    if (owner !== one.name || (one.timeline < newest && one.sent > since)) {
      found.push(one);
    }
  }
  return found;
}
