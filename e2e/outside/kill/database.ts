/** PostgreSQL from outside: rows for the oracle, holding a transaction at a moment, and killing it. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const PATIENCE_MS = 60_000;
const HOLD = 7_311_500;

/** Moments inside a draw's transaction, and the trigger that holds it there. */
export const MOMENTS = {
  begun: "before insert on draw_record for each statement",
  stock_taken: "after update on prize for each statement",
  committing: "after insert on payout deferrable initially deferred for each row",
} as const;
export type Moment = keyof typeof MOMENTS;

/** Bigints as numbers: all of ours are below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === 20 ? Number : pg.types.getTypeParser(oid, format)),
};

function parentOf(pid: number): number {
  try {
    const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    return Number(rest.split(" ")[1]);
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): number[] {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((one) => parentOf(one) === pid);
}

export async function openDatabase(connectionString: string) {
  let client: pg.Client | null = null;

  async function connected(): Promise<pg.Client> {
    const giveUp = Date.now() + PATIENCE_MS;
    while (client === null) {
      const made = new pg.Client({ connectionString, types, application_name: "kill proof" });
      made.on("error", () => (client = null));
      made.on("end", () => (client = null));
      try {
        await made.connect();
        client = made;
      } catch (error) {
        if (Date.now() > giveUp) {
          throw error;
        }
        await sleep(50);
      }
    }
    return client;
  }

  /** Runs `work`, and repeats it when PostgreSQL was killed meanwhile. */
  async function patiently<T>(work: (open: pg.Client) => Promise<T>): Promise<T> {
    const giveUp = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await work(await connected());
      } catch (error) {
        // Shutting down, starting up, or gone; any other error is ours.
        const isPassing = !(error instanceof pg.DatabaseError) || /^(57|08)/.test(error.code ?? "");
        if (!isPassing || Date.now() > giveUp) {
          throw error;
        }
        client = null;
        await sleep(50);
      }
    }
  }

  async function rows<T extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<T[]> {
    return await patiently(async (open) => (await open.query<T>(text, [...values])).rows);
  }

  return {
    rows,

    /** Counts the rows of `from`, a table with its condition. */
    async count(from: string, ...values: readonly unknown[]): Promise<number> {
      const [found] = await rows<{ count: number }>(`select count(*) from ${from}`, values);
      return found?.count ?? 0;
    },

    /** Rows of several queries from one snapshot. */
    view: (texts: readonly string[]): Promise<unknown[][]> =>
      patiently(async (open) => {
        await open.query("begin isolation level repeatable read read only");
        const found: unknown[][] = [];
        for (const text of texts) {
          found.push((await open.query(text)).rows);
        }
        await open.query("commit");
        return found;
      }),

    /** Stops the next draw at a moment until `release`, or until PostgreSQL is killed. */
    async hold(moment: Moment): Promise<void> {
      await rows(`select pg_advisory_lock(${HOLD})`);
      await rows(`create or replace function kill_hold() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock_shared(${HOLD}); return null; end $$`);
      const [kind, table] = [
        moment === "committing" ? "constraint trigger" : "trigger",
        / on (\w+)/.exec(MOMENTS[moment])?.[1] ?? "",
      ];
      await rows(`drop trigger if exists kill_hold on ${table}`);
      await rows(`create ${kind} kill_hold ${MOMENTS[moment]} execute function kill_hold()`);
    },

    /** Waits up to `ms` for a transaction at the held moment; answers whether one came. */
    async isHeld(ms: number): Promise<boolean> {
      const giveUp = Date.now() + ms;
      while (Date.now() < giveUp) {
        const waiting = await rows(
          `select from pg_locks where locktype = 'advisory' and objid = ${HOLD} and not granted`,
        );
        if (waiting.length > 0) {
          return true;
        }
        await sleep(5);
      }
      return false;
    },

    async release(moment: Moment): Promise<void> {
      await rows("select pg_advisory_unlock_all()");
      const table = / on (\w+)/.exec(MOMENTS[moment])?.[1] ?? "";
      await rows(`drop trigger if exists kill_hold on ${table}`);
    },

    /** kill -9 of all processes of PostgreSQL. */
    async kill(): Promise<void> {
      const [own] = await rows<{ pid: number }>("select pg_backend_pid() as pid");
      const postmaster = parentOf(own?.pid ?? 0);
      if (postmaster <= 1) {
        throw new Error("PostgreSQL's own process was not found");
      }
      for (const pid of [postmaster, ...childrenOf(postmaster)]) {
        try {
          process.kill(pid, "SIGKILL");
        } catch {
          // It ended with its parent.
        }
      }
      client = null;
    },

    async close(): Promise<void> {
      await client?.end();
    },
  };
}
