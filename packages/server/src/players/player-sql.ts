/**
 * Players. Lock order of everybody who writes here: the lock on names, month partitions (event.ts),
 * rows by player_key, deposits and bets last. Who adds or renames players holds the lock on names, so
 * that a name seen as free under it stays free; who changes what a player can draw raises the version
 * first, which locks the rows in order.
 */
import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { Db, Tx } from "#platform/connection";
import type { Database } from "#platform/schema";

export type Player = Selectable<Database["player"]>;

/** The player of a platform's `player_id`; null when there is none. */
export async function selectPlayerById(db: Db, player_id: string): Promise<Player | null> {
  const row = await db
    .selectFrom("player")
    .selectAll()
    .where("player_id", "=", player_id)
    .executeTakeFirst();
  return row ?? null;
}

/** The player of an account, compared without case (behaviour §3); null when there is none. */
export async function selectPlayerByName(db: Db, user_name: string): Promise<Player | null> {
  const row = await db
    .selectFrom("player")
    .selectAll()
    .where("user_name_key", "=", sql<string>`lower(${user_name})`)
    .executeTakeFirst();
  return row ?? null;
}

/** An account that a caller has named. */
export interface NamedPlayer {
  /** As it was written. */
  readonly user_name: string;
  /** How the database compares it. */
  readonly name_key: string;
  /** Null when nobody is called that. */
  readonly player_key: number | null;
}

/** The players of these accounts, compared without case, one answer for each in the order given. */
export async function selectPlayerKeys(
  db: Db,
  user_names: readonly string[],
): Promise<NamedPlayer[]> {
  const { rows } = await sql<NamedPlayer>`
    select x.user_name, lower(x.user_name) as name_key, p.player_key
    from unnest(${user_names}::text[]) with ordinality as x (user_name, at)
    left join player p on p.user_name_key = lower(x.user_name)
    order by x.at`.execute(db);
  return rows;
}

/** A `player_id` with the `user_name` that came beside it. */
export interface PlayerPair {
  readonly player_id: string;
  readonly user_name: string;
}

/** What the table knows about one pair. */
export interface PairState extends PlayerPair {
  /** How the database compares the given name. */
  readonly name_key: string;
  /** The player of the `player_id`. */
  readonly known: Pick<Player, "player_key" | "user_name" | "user_name_key" | "blocked"> | null;
  /** The `player_id` that has the given name. */
  readonly holder: string | null;
}

/** What is known of every pair, in one snapshot; repeated pairs are answered once each. */
export async function selectPairStates(db: Db, pairs: readonly PlayerPair[]): Promise<PairState[]> {
  // The limits make it two index look-ups per pair: many pairs would have the whole table read, twice.
  const { rows } = await sql<PairState>`
    select x.player_id, x.user_name, lower(x.user_name) as name_key, holder.player_id as holder,
      case when known.player_key is not null then json_build_object(
        'player_key', known.player_key, 'user_name', known.user_name,
        'user_name_key', known.user_name_key, 'blocked', known.blocked) end as known
    from unnest(${pairs.map((pair) => pair.player_id)}::text[],
                ${pairs.map((pair) => pair.user_name)}::text[]) as x (player_id, user_name)
    left join lateral (
      select * from player where player_id = x.player_id limit 1
    ) known on true
    left join lateral (
      select player_id from player where user_name_key = lower(x.user_name) limit 1
    ) holder on true`.execute(db);
  return rows;
}

/** Holds every other adding and renaming of players off until the transaction ends. */
export async function lockPlayerNames(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('player names'))`.execute(tx);
}

export interface NewPlayer extends PlayerPair {
  readonly blocked: boolean;
}

/** Adds players under the lock on names. Answers their keys by `player_id`. */
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

/** Locks players whose name or block is about to change, in key order. */
export async function lockPlayers(tx: Tx, player_keys: readonly number[]): Promise<void> {
  // A name is part of a key, so its change needs the strongest row lock from the start.
  await sql`
    select from player where player_key = any(${player_keys}::bigint[])
    order by player_key for update`.execute(tx);
}

/**
 * Takes locked players' names away for the moment, so that others may take them in the same
 * transaction. Nobody can be called that: names hold no control characters.
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

/** Overwrites locked players under the lock on names and raises their versions. */
export async function updatePlayers(tx: Tx, changes: readonly PlayerChange[]): Promise<void> {
  await sql`
    update player p set user_name = x.user_name, blocked = x.blocked, version = p.version + 1,
      blocked_at = case when not x.blocked then null
        when p.blocked then p.blocked_at else statement_timestamp() end
    from unnest(${changes.map((change) => change.player_key)}::bigint[],
                ${changes.map((change) => change.user_name)}::text[],
                ${changes.map((change) => change.blocked)}::boolean[])
      as x (player_key, user_name, blocked)
    where p.player_key = x.player_key`.execute(tx);
}

/**
 * Says that what these players can draw is about to change: every draw decided before it is decided
 * anew. Locks the rows in key order, so that transactions over the same players wait for each other
 * in a line and never in a circle; call it before writing what changes the chances.
 */
export async function raisePlayerVersions(tx: Tx, player_keys: readonly number[]): Promise<void> {
  await sql`
    with locked as materialized (
      select player_key from player where player_key = any(${player_keys}::bigint[])
      order by player_key for no key update
    )
    update player p set version = p.version + 1
    from locked where locked.player_key = p.player_key`.execute(tx);
}
