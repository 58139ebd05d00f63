/** Distributes deposits and bets by player over the workers of a Citus cluster (decision 23). */
import type { EventKind } from "@red/contract/events/event";
import { sql } from "kysely";
import type { Db, Tx } from "#platform/db/connection";
import { oneRow } from "#platform/db/one-row";
import { columnsOf } from "./event-columns.ts";

const KINDS = ["deposit", "bet"] as const;

export interface Spreading {
  readonly citus: string | null;
  readonly workers: number;
  readonly are_spread: boolean;
  /** Number of rows as of the last ANALYZE; `bytes` includes the indexes. */
  readonly rows: number;
  readonly bytes: number;
}

export async function selectSpreading(db: Db): Promise<Spreading> {
  const { rows } = await sql<Omit<Spreading, "workers">>`
    select (select extversion from pg_extension where extname = 'citus') as citus,
      not exists (select from pg_trigger where tgrelid = 'bet'::regclass and tgname = 'rollup_insert') as are_spread,
      coalesce(sum(greatest(c.reltuples, 0)), 0)::float8 as rows,
      coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8 as bytes
    from (values ('deposit'), ('bet')) t (name)
    cross join lateral pg_partition_tree(t.name::regclass) as p
    join pg_class c on c.oid = p.relid and c.relkind = 'r'`.execute(db);
  const found = oneRow(rows);
  const nodes =
    found.citus === null
      ? []
      : (await sql`select from citus_get_active_worker_nodes()`.execute(db)).rows;
  return { ...found, workers: nodes.length };
}

/**
 * Makes the keys begin with the player, by which the rows are distributed. Drops triggers and
 * constraints that cannot work across machines.
 */
async function spread(tx: Tx, kind: EventKind, shards: number): Promise<void> {
  const table = sql.table(kind);
  const name = (suffix: string) => sql.ref(`${kind}${suffix}`);
  const { no } = columnsOf(kind);
  const { rows } = await sql<{ tgname: string }>`
    select tgname from pg_trigger where tgrelid = ${kind}::regclass and not tgisinternal`.execute(
    tx,
  );
  for (const { tgname } of rows) {
    await sql`drop trigger ${sql.ref(tgname)} on ${table}`.execute(tx);
  }
  await sql`alter table ${table} drop constraint ${name("_player_key_fkey")},
    drop constraint ${name("_pkey")}, drop constraint ${name("__id_unique")},
    add constraint ${name("_pkey")} primary key (player_key, ${no}, created_at),
    add constraint ${name("__id_unique")} unique (player_key, id, created_at)`.execute(tx);
  await sql`create index ${name("__no")} on ${table} (${no}, created_at)`.execute(tx);
  await sql`create index ${name("__id")} on ${table} (id)`.execute(tx);
  const together =
    kind === KINDS[0] ? sql`shard_count => ${sql.lit(shards)}` : sql`colocate_with => ${KINDS[0]}`;
  await sql`select create_distributed_table(${kind}, 'player_key', ${together})`.execute(tx);
}

/**
 * Distributes both tables in one transaction, while no server runs. Throws the errors of the
 * cluster. Drops the schema for past views (as-of.sql), which `migrate` creates again.
 */
export async function spreadEvents(tx: Tx, shards: number): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx);
  // The cluster would also distribute the views of this schema, but the owner may not create the schema on the workers.
  await sql`drop schema if exists as_of cascade`.execute(tx);
  for (const kind of KINDS) {
    await spread(tx, kind, shards);
  }
  // Makes the cluster send the settings of past views (as-of.sql) to the workers.
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(tx);
  await sql`alter database ${sql.ref(rows[0]?.name ?? "")} set citus.propagate_set_commands = 'local'`.execute(
    tx,
  );
}

/** Frees the space of the rows on the first machine after the distribution. */
export async function freeEvents(db: Db): Promise<void> {
  for (const kind of KINDS) {
    await sql`select truncate_local_data_after_distributing_table(${kind})`.execute(db);
  }
}
