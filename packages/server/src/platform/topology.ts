/** What the database says of its own safety: does a second machine have every commit, and is it archived? */
import { sql } from "kysely";
import type { Db } from "./connection.ts";
import { shared } from "./metrics.ts";
import type { Measured } from "./metrics.ts";

const SYNC_STATES = ["sync", "quorum", "potential", "async"] as const;

/** Without `pg_monitor` a role may not see the standbys, only how many there are. Lags are the longest. */
export interface Topology {
  readonly is_standby: boolean;
  readonly may_see: boolean;
  readonly synchronous_commit: string;
  readonly synchronous_standby_names: string;
  readonly fsync: boolean;
  readonly full_page_writes: boolean;
  readonly standbys: number;
  readonly by_state: Readonly<Record<(typeof SYNC_STATES)[number], number>>;
  readonly lag_bytes: number;
  readonly lag_seconds: number;
  readonly is_archive_failing: boolean;
  readonly clock: Date;
}

/** Works as any role, in one statement. */
export async function readTopology(db: Db): Promise<Topology> {
  const states = SYNC_STATES.map(
    (state) => sql`${sql.lit(state)}, count(*) filter (where sync_state = ${sql.lit(state)})`,
  );
  const { rows } = await sql<Topology>`
    select pg_is_in_recovery() as is_standby, pg_has_role('pg_read_all_stats', 'usage') as may_see,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('synchronous_standby_names') as synchronous_standby_names,
      current_setting('fsync')::boolean as fsync, current_setting('full_page_writes')::boolean as full_page_writes,
      s.*, current_setting('archive_mode') <> 'off'
        and coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as is_archive_failing,
      clock_timestamp() as clock
    from pg_stat_archiver cross join (
      select count(*)::integer as standbys, jsonb_build_object(${sql.join(states)}) as by_state,
        coalesce(max(extract(epoch from replay_lag)), 0)::float8 as lag_seconds,
        coalesce(max(case when not pg_is_in_recovery() then pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) end), 0)
          ::float8 as lag_bytes
      from pg_stat_replication where state is distinct from 'backup'
    ) s`.execute(db);
  // One row always comes.
  return rows[0] as Topology;
}

/** Machines of a Citus cluster that the first one does not reach; none without a cluster. */
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

export const synchronousOf = ({ by_state }: Topology) => by_state.sync + by_state.quorum;

const LAG_BYTES_MAX = 64 * 1024 * 1024;
const LAG_SECONDS_MAX = 30;

const ADVICE = {
  standby: "let DATABASE_URL lead to the primary, through HAProxy",
  commit:
    "set it to on (patronictl edit-config; alter role … reset synchronous_commit): answered draws may be lost",
  power: "set it to on: a power cut may destroy all",
  waiting: "start it (patronictl list): until one is connected, nothing is written",
  alone: "add a synchronous standby: what this machine has is lost with it",
  role: "grant pg_monitor to the role of DATABASE_URL",
  loose:
    "set synchronous_standby_names to 'ANY 1 (…)', or synchronous_mode in Patroni: a fail-over loses answered draws",
  behind: "look at its disk and network, and at long queries on it",
  archive: "see PostgreSQL's log and archive_command: until it works the disk fills",
};

/** What is wrong with a database that holds real money, and what to do. */
export function topologyFaults(facts: Topology): { found: string; advice: string }[] {
  const { standbys, may_see, synchronous_commit: commit, lag_bytes, lag_seconds } = facts;
  const names = facts.synchronous_standby_names || "empty";
  const loose = `no standby is synchronous: synchronous_standby_names is ${names}`;
  if (facts.is_standby) {
    return [{ found: "this is a standby, which takes no writes", advice: ADVICE.standby }];
  }
  const isSeen = standbys > 0 && may_see;
  const isWaiting = standbys === 0 && facts.synchronous_standby_names !== "";
  const isBehind = lag_bytes > LAG_BYTES_MAX || lag_seconds > LAG_SECONDS_MAX;
  const lag = `${(lag_bytes / 1e6).toFixed(0)} MB and ${lag_seconds.toFixed(0)} s`;
  const all: [boolean, string, keyof typeof ADVICE][] = [
    [commit === "off" || commit === "local", `synchronous_commit is ${commit}`, "commit"],
    [!facts.fsync, "fsync is off", "power"],
    [!facts.full_page_writes, "full_page_writes is off", "power"],
    [isWaiting, "commits wait for a standby, and none is connected", "waiting"],
    [standbys === 0 && !isWaiting, "one node, no standby", "alone"],
    [standbys > 0 && !may_see, `${standbys} standbys, of which this role sees nothing`, "role"],
    [isSeen && synchronousOf(facts) === 0, loose, "loose"],
    [isSeen && isBehind, `a standby is ${lag} behind`, "behind"],
    [facts.is_archive_failing, "the last archiving failed", "archive"],
  ];
  return all.flatMap(([is, found, advice]) => (is ? [{ found, advice: ADVICE[advice] }] : []));
}

/** The figures of the database; those of standbys and the archive only `withStandbys`. */
export function databaseMeasured(db: Db, withStandbys: boolean): Measured[] {
  const read = shared(async () => {
    const before = Date.now();
    const facts = await readTopology(db);
    return { ...facts, skew: (facts.clock.getTime() - (before + Date.now()) / 2) / 1000 };
  });
  const clock: Measured = {
    name: "redpacket_clock_skew_seconds",
    help: "How far the database's clock is ahead of this process's",
    value: async () => (await read()).skew,
  };
  const standbys: Measured[] = [
    {
      name: "redpacket_standbys",
      help: "Standbys of the database by sync_state",
      labels: ["sync_state"],
      value: async () => {
        const { may_see, by_state } = await read();
        const seen = may_see ? SYNC_STATES : [];
        return seen.map((sync_state) => [{ sync_state }, by_state[sync_state]]);
      },
    },
    {
      name: "redpacket_standby_lag_bytes",
      help: "What the slowest standby has not replayed yet",
      value: async () => (await read()).lag_bytes,
    },
    {
      name: "redpacket_archive_failing",
      help: "1 while the last try to archive the database's log has failed",
      value: async () => Number((await read()).is_archive_failing),
    },
  ];
  return withStandbys ? [clock, ...standbys] : [clock];
}
