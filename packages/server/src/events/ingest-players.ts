/** Adds and updates players from the platform (platform-api; behaviour §3). */
import { setImmediate } from "node:timers/promises";
import { playerRow } from "@red/contract/events/ingest";
import type { IngestResult } from "@red/contract/events/ingest";
import type { Language } from "@red/contract/platform/texts";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import {
  insertPlayers,
  lockPlayerNames,
  lockPlayers,
  parkPlayerNames,
  selectPairStates,
  updatePlayers,
} from "#players/player-sql";
import type { NewPlayer, PlayerChange, PlayerPair } from "#players/player-sql";
import { concludeIngest, readRows, rejected } from "./ingest-rows.ts";
import type { Numbered, Verdict } from "./ingest-rows.ts";
import type * as z from "zod/mini";

type PlayerRow = z.output<typeof playerRow>;

interface BookedPlayer {
  /** Null if this call adds the player. */
  readonly player_key: number | null;
  readonly user_name: string;
  /** The name in the form that the database compares. */
  readonly name_key: string;
  readonly blocked: boolean;
  readonly is_erased: boolean;
}

/** The stored players and names that the rows of one call need. */
interface PlayerBook {
  readonly players: ReadonlyMap<string, BookedPlayer>;
  /** The player_id by the key of its name. */
  readonly holders: ReadonlyMap<string, string>;
  /** The key of every name in the call. */
  readonly nameKeys: ReadonlyMap<string, string>;
}

async function readPlayerBook(tx: Tx, pairs: readonly PlayerPair[]): Promise<PlayerBook> {
  // Names and ids contain no control characters, so a line break can separate them.
  const distinct = new Map(pairs.map((pair) => [`${pair.player_id}\n${pair.user_name}`, pair]));
  const players = new Map<string, BookedPlayer>();
  const holders = new Map<string, string>();
  const nameKeys = new Map<string, string>();
  const states = await selectPairStates(tx, [...distinct.values()]);
  // A call has thousands of rows, so other requests may run before each of the next steps.
  await setImmediate();
  for (const state of states) {
    nameKeys.set(state.user_name, state.name_key);
    if (state.holder !== null) {
      holders.set(state.name_key, state.holder);
    }
    if (state.known !== null) {
      const { user_name_key: name_key, ...known } = state.known;
      players.set(state.player_id, { ...known, name_key });
      holders.set(name_key, state.player_id);
    }
  }
  await setImmediate();
  return { players, holders, nameKeys };
}

function nameKeyOf(book: PlayerBook, user_name: string): string {
  const key = book.nameKeys.get(user_name);
  if (key === undefined) {
    throw new Error("a name was not read into the book");
  }
  return key;
}

interface Decision {
  readonly holders: ReadonlyMap<string, string>;
  /** The final state of all new and updated players, by player_id. */
  readonly changed: ReadonlyMap<string, BookedPlayer>;
}

/** Judges the rows in order, each on the result of the rows before it, and writes the verdicts. */
function decide(
  rows: readonly Numbered<PlayerRow>[],
  book: PlayerBook,
  language: Language,
  verdicts: Verdict[],
): Decision {
  const players = new Map(book.players);
  const holders = new Map(book.holders);
  const changed = new Map<string, BookedPlayer>();
  for (const { index, row } of rows) {
    const { player_id, user_name } = row;
    const name_key = nameKeyOf(book, user_name);
    const known = players.get(player_id);
    const blocked = row.blocked ?? known?.blocked ?? false;
    const holder = holders.get(name_key);
    // An erased player keeps the placeholder name and the block.
    if ((holder !== undefined && holder !== player_id) || known?.is_erased === true) {
      verdicts[index] = rejected("player_mismatch", language);
    } else if (known?.user_name === user_name && known.blocked === blocked) {
      verdicts[index] = "duplicate";
    } else {
      if (known !== undefined) {
        holders.delete(known.name_key);
      }
      holders.set(name_key, player_id);
      const player_key = known?.player_key ?? null;
      const player = { player_key, user_name, name_key, blocked, is_erased: false };
      players.set(player_id, player);
      changed.set(player_id, player);
      verdicts[index] = known === undefined ? "accepted" : "updated";
    }
  }
  return { holders, changed };
}

function changesOf(book: PlayerBook, decision: Decision) {
  const added: NewPlayer[] = [];
  const updated: PlayerChange[] = [];
  /** Keys of players whose former name goes to another player. */
  const contested: number[] = [];
  for (const [player_id, { player_key, user_name, blocked }] of decision.changed) {
    const before = book.players.get(player_id);
    if (before === undefined || player_key === null) {
      added.push({ player_id, user_name, blocked });
      continue;
    }
    updated.push({ player_key, user_name, blocked });
    const holder = decision.holders.get(before.name_key);
    if (holder !== undefined && holder !== player_id) {
      contested.push(player_key);
    }
  }
  return { added, updated, contested };
}

async function write(tx: Tx, book: PlayerBook, decision: Decision): Promise<void> {
  const { added, updated, contested } = changesOf(book, decision);
  if (updated.length > 0) {
    const keys = updated.map((player) => player.player_key);
    await lockPlayers(tx, keys);
    await parkPlayerNames(tx, contested);
    await updatePlayers(tx, updated);
  }
  if (added.length > 0) {
    await insertPlayers(tx, added);
  }
}

/**
 * A new `player_id` is accepted. A changed name (including letter case) or block is an update; the
 * same row again is a duplicate. Without `blocked` the block does not change. A row with the
 * `user_name` of another player, or about an erased player, is rejected with `player_mismatch`.
 * Rows are judged in order, so a later row can use a name that an earlier row gave up.
 */
export async function ingestPlayers(
  tx: Tx,
  actor: Actor,
  input: readonly unknown[],
  language: Language,
): Promise<IngestResult> {
  const verdicts: Verdict[] = [];
  const rows = await readRows(playerRow, input, language, verdicts);
  const pairs = rows.map(({ row }) => row);
  // Read under the lock, so that the data is still valid when written.
  await lockPlayerNames(tx);
  const book = await readPlayerBook(tx, pairs);
  const decision = decide(rows, book, language, verdicts);
  await setImmediate();
  await write(tx, book, decision);
  const call = { action: "ingest_players", object_type: "player" };
  return await concludeIngest(tx, actor, call, verdicts);
}
