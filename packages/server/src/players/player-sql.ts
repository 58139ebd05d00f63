/**
 * Players. Before a write, lock in this order: names, month partitions (event-sql.ts), players by player_key, deposits
 * and bets. Adding or renaming players needs the lock on names, so that a free name stays free. A change of the draws
 * of players first locks the players in key order and raises their versions.
 */
import { found } from "@red/contract/platform/errors";
import { sql } from "kysely";
import type { Selectable } from "kysely";
import { plainArray } from "#platform/db/sql-parts";
import type { Db, Tx } from "#platform/db/connection";
import type { Database } from "#platform/db/schema";

export type Player = Selectable<Database["player"]>;

/** Returns the player of an account, or null. Ignores case (behaviour §3). */
export async function selectPlayerByName(db: Db, user_name: string): Promise<Player | null> {
  const row = await db
    .selectFrom("player")
    .selectAll()
    .where("user_name_key", "=", sql<string>`lower(${user_name})`)
    .executeTakeFirst();
  return row ?? null;
}

/** Like selectPlayerByName, but throws player_unknown. */
export async function requirePlayer(db: Db, user_name: string): Promise<Player> {
  return found(await selectPlayerByName(db, user_name), "player_unknown");
}

export async function selectPlayerById(db: Db, player_id: string): Promise<Player | null> {
  const row = await db
    .selectFrom("player")
    .selectAll()
    .where("player_id", "=", player_id)
    .executeTakeFirst();
  return row ?? null;
}

export interface NamedPlayer {
  readonly user_name: string;
  /** The name in the form that the database compares. */
  readonly name_key: string;
  readonly player_key: number | null;
  /** The reason why the player may not draw now, or null if the player may draw. */
  readonly barred: "blocked" | "excluded" | null;
}

/** Finds the players of these accounts; ignores case. Returns one result per account in the given order. */
export async function selectPlayerKeys(
  db: Db,
  user_names: readonly string[],
): Promise<NamedPlayer[]> {
  const { rows } = await sql<NamedPlayer>`
    select x.user_name, lower(x.user_name) as name_key, p.player_key,
      case when p.blocked then 'blocked'
        when p.excluded_until > statement_timestamp() then 'excluded' end as barred
    from unnest(${user_names}::text[]) with ordinality as x (user_name, at)
    left join player p on p.user_name_key = lower(x.user_name)
    order by x.at`.execute(db);
  return rows;
}

export interface PlayerPair {
  readonly player_id: string;
  readonly user_name: string;
}

export interface PairState extends PlayerPair {
  /** The given name in the form that the database compares. */
  readonly name_key: string;
  readonly known:
    | (Pick<Player, "player_key" | "user_name" | "user_name_key" | "blocked"> & {
        readonly is_erased: boolean;
      })
    | null;
  /** The `player_id` of the player who has the given name. */
  readonly holder: string | null;
}

/** Returns the state of every distinct pair, in one snapshot. */
export async function selectPairStates(db: Db, pairs: readonly PlayerPair[]): Promise<PairState[]> {
  // Each `limit` forces an index look-up per pair; otherwise many pairs would read the whole table twice. The name
  // nearly always belongs to the player with this id, so it is only looked up when it differs.
  const { rows } = await sql<PairState>`
    select x.player_id, x.user_name, lower(x.user_name) as name_key,
      case when known.user_name_key = lower(x.user_name) then known.player_id else holder.player_id end as holder,
      case when known.player_key is not null then json_build_object(
        'player_key', known.player_key, 'user_name', known.user_name,
        'user_name_key', known.user_name_key, 'blocked', known.blocked,
        'is_erased', known.erased_at is not null) end as known
    from unnest(${pairs.map((pair) => pair.player_id)}::text[],
                ${pairs.map((pair) => pair.user_name)}::text[]) as x (player_id, user_name)
    left join lateral (
      select * from player where player_id = x.player_id limit 1
    ) known on true
    left join lateral (
      select player_id from player
      where user_name_key = lower(x.user_name) and known.user_name_key is distinct from lower(x.user_name)
      limit 1
    ) holder on true`.execute(db);
  return rows;
}

/** Blocks other transactions that add or rename players until this transaction ends. */
export async function lockPlayerNames(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('player names'))`.execute(tx);
}

export interface NewPlayer extends PlayerPair {
  readonly blocked: boolean;
}

/** Inserts players; the caller has the lock on names. Returns their keys by `player_id`. */
export async function insertPlayers(
  tx: Tx,
  players: readonly NewPlayer[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ player_id: string; player_key: number }>`
    insert into player (player_id, user_name, blocked, blocked_at)
    select x.player_id, x.user_name, x.blocked, case when x.blocked then statement_timestamp() end
    from unnest(${players.map((player) => player.player_id)}::text[],
                ${players.map((player) => player.user_name)}::text[],
                ${players.map((player) => player.blocked)}::boolean[])
      as x (player_id, user_name, blocked)
    returning player_id, player_key`.execute(tx);
  return new Map(rows.map((row) => [row.player_id, row.player_key]));
}

/** Locks players in key order before a change of name or block. */
export async function lockPlayers(tx: Tx, player_keys: readonly number[]): Promise<void> {
  // A name is part of a key, so changing it needs the strongest row lock from the start.
  await sql`
    select from player where player_key = any(${player_keys}::bigint[])
    order by player_key for update`.execute(tx);
}

/**
 * Gives locked players placeholder names, so that other players can take their names in the same
 * transaction. Real names contain no control characters, so no name equals a placeholder.
 */
export async function parkPlayerNames(tx: Tx, player_keys: readonly number[]): Promise<void> {
  await sql`
    update player set user_name = chr(1) || player_key
    where player_key = any(${player_keys}::bigint[])`.execute(tx);
}

export interface PlayerChange {
  readonly player_key: number;
  readonly user_name: string;
  readonly blocked: boolean;
}

/** Updates locked players and raises their versions; the caller has the lock on names. */
export async function updatePlayers(tx: Tx, changes: readonly PlayerChange[]): Promise<void> {
  await sql`
    update player p set user_name = x.user_name, blocked = x.blocked, version = p.version + 1,
      draw_version = p.draw_version + 1,
      blocked_at = case when not x.blocked then null
        when p.blocked then p.blocked_at else statement_timestamp() end
    from unnest(${changes.map((change) => change.player_key)}::bigint[],
                ${changes.map((change) => change.user_name)}::text[],
                ${changes.map((change) => change.blocked)}::boolean[])
      as x (player_key, user_name, blocked)
    where p.player_key = x.player_key`.execute(tx);
}

/**
 * Locks players in key order before a change of their draws, so two transactions over the same
 * players cannot deadlock. Returns the players whose version differs from the one in `versions`. A
 * null version, or a missing list, is not compared.
 */
export async function lockDrawers(
  tx: Tx,
  player_keys: readonly number[],
  versions: readonly (number | null)[] = [],
): Promise<number[]> {
  const { rows } = await sql<{ player_key: number }>`
    with locked as materialized (
      select p.player_key, p.version <> k.version as has_changed
      from (
        select player_key, min(version) as version
        from unnest(${plainArray(player_keys)}::bigint[], ${plainArray(versions)}::bigint[]) k (player_key, version)
        group by player_key
      ) k
      join player p on p.player_key = k.player_key
      order by p.player_key for no key update of p
    )
    select player_key from locked where has_changed`.execute(tx);
  return rows.map((row) => row.player_key);
}

/** Locks the known players of these accounts, so that the next read sees every block and exclusion. */
export async function lockNamedDrawers(tx: Tx, user_names: readonly string[]): Promise<void> {
  const named = await selectPlayerKeys(tx, user_names);
  const keys = named.flatMap(({ player_key }) => player_key ?? []);
  await lockDrawers(tx, keys);
}

/**
 * Raises the versions of locked players whose chances change. Running draws are decided again,
 * unless the change `onlyAdds` rows that count.
 */
export async function raiseVersions(
  tx: Tx,
  player_keys: readonly number[],
  onlyAdds: boolean,
): Promise<void> {
  await sql`
    update player set version = version + 1, draw_version = draw_version + ${onlyAdds ? 0 : 1}::int
    where player_key = any(${plainArray(player_keys)}::bigint[])`.execute(tx);
}

/** Locks players in key order and raises their versions. Call this before the write. */
export async function raisePlayerVersions(tx: Tx, player_keys: readonly number[]): Promise<void> {
  await lockDrawers(tx, player_keys);
  await raiseVersions(tx, player_keys, false);
}
