/**
 * Checks the safety of the database: whether a second machine has every commit, and whether the database log is
 * archived.
 */
import { sql } from "kysely";
import type { Db } from "./connection.ts";
import { shared } from "#platform/http/metrics";
import type { Measured } from "#platform/http/metrics";

/** Longest time without a newly archived log file while the log grows. */
const LATE = sql.lit("5 minutes");

/** Without `pg_monitor` a role may only see that a standby exists, and the fields are null. */
interface Standby {
  readonly name: string | null;
  readonly sync_state: string | null;
  /** Bytes of the log that the standby has not replayed yet. */
  readonly bytes: number | null;
  readonly seconds: number | null;
}

export interface Topology {
  readonly is_standby: boolean;
  readonly synchronous_commit: string;
  readonly synchronous_standby_names: string;
  readonly fsync: boolean;
  readonly full_page_writes: boolean;
  /** Sorted: the last standby is the furthest behind. */
  readonly standbys: readonly Standby[];
  readonly is_archive_failing: boolean;
  /** Used connections as a share of the connections available to ordinary roles. */
  readonly connections: number;
  /** Seconds by which the database's clock is ahead of the clock of this process. */
  readonly skew: number;
}

/**
 * Reads the facts in one statement, as any role. An archiver that hangs reports no error, so the statement also
 * compares the log with its archived part.
 */
export async function readTopology(db: Db): Promise<Topology> {
  const before = Date.now();
  const { rows } = await sql<Topology & { clock: Date }>`
    with here as (
      select pg_is_in_recovery() as is_standby,
        case when not pg_is_in_recovery() then pg_current_wal_lsn() end as at
    )
    select is_standby, current_setting('synchronous_commit') as synchronous_commit,
      current_setting('synchronous_standby_names') as synchronous_standby_names,
      current_setting('fsync')::boolean as fsync, current_setting('full_page_writes')::boolean as full_page_writes,
      array(
        select jsonb_build_object('name', application_name, 'sync_state', sync_state,
          'bytes', pg_wal_lsn_diff(at, replay_lsn), 'seconds', extract(epoch from replay_lag))
        from pg_stat_replication where state is distinct from 'backup' order by replay_lsn desc nulls first
      ) as standbys,
      current_setting('archive_mode') <> 'off' and not is_standby and (
        coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false)
        or coalesce(last_archived_time, stats_reset) < now() - interval ${LATE} and coalesce(last_archived_wal, '0') collate "C"
          < pg_walfile_name('0/0'::pg_lsn + greatest(1,
            pg_wal_lsn_diff(at, '0/0') - 2 * pg_size_bytes(current_setting('wal_segment_size'))))
      ) as is_archive_failing,
      (select sum(numbackends) from pg_stat_database)::float8 / (current_setting('max_connections')::integer
        - current_setting('superuser_reserved_connections')::integer) as connections,
      clock_timestamp() as clock
    from here, pg_stat_archiver`.execute(db);
  // The statement always returns one row.
  const { clock, ...facts } = rows[0] as (typeof rows)[0];
  return { ...facts, skew: (clock.getTime() - (before + Date.now()) / 2) / 1000 };
}

/** Returns the machines of a Citus cluster that the first machine cannot reach; empty without a cluster. */
export async function selectSilentWorkers(db: Db): Promise<string[]> {
  const { rows: found } = await sql<{ is_there: boolean }>`
    select to_regproc('citus_check_cluster_node_health') is not null as is_there`.execute(db);
  if (found[0]?.is_there !== true) {
    return [];
  }
  const { rows } = await sql<{ node: string }>`
    select distinct to_nodename || ':' || to_nodeport as node
    from citus_check_cluster_node_health() where result is false order by 1`.execute(db);
  return rows.map(({ node }) => node);
}

export const synchronousOf = ({ standbys }: Topology): number =>
  standbys.filter(({ sync_state }) => /^(sync|quorum)$/.test(sync_state ?? "")).length;

const LAG_BYTES_MAX = 64 * 1024 * 1024;
const LAG_SECONDS_MAX = 30;
const CONNECTIONS_MAX = 0.9;

export const ADVICE = {
  standby: "let DATABASE_URL lead to the primary, through HAProxy",
  commit:
    "set it to on (patronictl edit-config; alter role … reset synchronous_commit), then start all processes again, which keep it: answered draws may be lost",
  power: "set it to on: a power cut may destroy all",
  waiting: "start it (patronictl list): until one is connected, nothing is written",
  alone: "add a synchronous standby: what this machine has is lost with it",
  role: "grant pg_monitor to the role of DATABASE_URL",
  loose:
    "set synchronous_mode in Patroni, else synchronous_standby_names to 'ANY 1 (…)': a fail-over loses answered draws",
  behind: "look at its disk and network, at long queries on it, and whether its replay was paused",
  archive:
    "see PostgreSQL's log and what archive_command does now: until it works the primary's disk fills",
  connections:
    "end what holds them (application_name in pg_stat_activity), or raise max_connections",
};
type Fault = keyof typeof ADVICE;

const STANDBY = "this is a standby, which takes no writes";
export const ON_STANDBY = `${STANDBY}: ${ADVICE.standby}`;

/** Returns what is wrong with a database that contains real money, and what to do about each fault. */
export function topologyFaults(facts: Topology) {
  const { standbys, synchronous_commit: commit } = facts;
  const loose = "no standby is synchronous: synchronous_standby_names is empty";
  const waiting = `commits wait for a standby (${facts.synchronous_standby_names}), and none is connected`;
  const maySee = standbys.every(({ sync_state }) => sync_state !== null);
  const isLacking = maySee && synchronousOf(facts) === 0 && !facts.is_standby;
  const isNamed = facts.synchronous_standby_names !== "";
  const behind = standbys.filter(
    ({ bytes, seconds }) => Number(bytes) > LAG_BYTES_MAX || Number(seconds) > LAG_SECONDS_MAX,
  );
  const lags = behind.map(
    ({ name, bytes, seconds }) =>
      `${name ?? ""} is ${(Number(bytes) / 1e6).toFixed(0)} MB and ${Number(seconds).toFixed(0)} s behind`,
  );
  const used = `${(facts.connections * 100).toFixed(0)} % of the connections are in use`;
  const all: [boolean, string, Fault][] = [
    [facts.is_standby, STANDBY, "standby"],
    [commit === "off" || commit === "local", `synchronous_commit is ${commit}`, "commit"],
    [!facts.fsync, "fsync is off", "power"],
    [!facts.full_page_writes, "full_page_writes is off", "power"],
    [isLacking && isNamed, waiting, "waiting"],
    [isLacking && !isNamed && standbys.length === 0, "one node, no standby", "alone"],
    [!maySee, `standbys: ${standbys.length}, of which this role sees nothing`, "role"],
    [isLacking && !isNamed && standbys.length > 0, loose, "loose"],
    [lags.length > 0, `standby ${lags.join(", ")}`, "behind"],
    [facts.is_archive_failing, "the database's log is not archived", "archive"],
    [facts.connections > CONNECTIONS_MAX, used, "connections"],
  ];
  return all.flatMap(([is, found, fault]) => (is ? [{ fault, found, advice: ADVICE[fault] }] : []));
}

/** Returns the gauges of the database. The gauges of its safety are included only `withFaults`. */
export function databaseMeasured(db: Db, withFaults: boolean): Measured[] {
  const read = shared(() => readTopology(db));
  const clock: Measured = {
    name: "redpacket_clock_skew_seconds",
    help: "How far the database's clock is ahead of this process's",
    value: async () => (await read()).skew,
  };
  const safety: Measured[] = [
    {
      name: "redpacket_database_fault",
      help: "1 for what redctl doctor finds wrong with the database",
      labels: ["fault"],
      value: async () => {
        const found = new Set(topologyFaults(await read()).map(({ fault }) => fault));
        return (Object.keys(ADVICE) as Fault[]).map((fault) => [
          { fault },
          Number(found.has(fault)),
        ]);
      },
    },
    {
      name: "redpacket_standby_lag_bytes",
      help: "What a standby has not replayed yet",
      labels: ["standby"],
      value: async () =>
        (await read()).standbys.map(({ name, bytes }) => [{ standby: name ?? "" }, bytes ?? NaN]),
    },
  ];
  return withFaults ? [clock, ...safety] : [clock];
}
