/** The pairs of player_id and user_name that one call's rows need. */
import { setImmediate } from "node:timers/promises";
import type { Tx } from "#platform/connection";
import { selectPairStates } from "./player-sql.ts";
import type { PlayerPair } from "./player-sql.ts";

export interface BookedPlayer {
  /** Null for a player that the call itself adds. */
  readonly player_key: number | null;
  readonly user_name: string;
  /** How the database compares the name. */
  readonly name_key: string;
  readonly blocked: boolean;
  readonly is_erased: boolean;
}

export interface PlayerBook {
  /** By player_id. */
  readonly players: ReadonlyMap<string, BookedPlayer>;
  /** player_id by the key of its name. */
  readonly holders: ReadonlyMap<string, string>;
  /** The key of every name in the call. */
  readonly nameKeys: ReadonlyMap<string, string>;
}

export async function readPlayerBook(tx: Tx, pairs: readonly PlayerPair[]): Promise<PlayerBook> {
  // Names and ids hold no control characters, so a line break can separate them.
  const distinct = new Map(pairs.map((pair) => [`${pair.player_id}\n${pair.user_name}`, pair]));
  const players = new Map<string, BookedPlayer>();
  const holders = new Map<string, string>();
  const nameKeys = new Map<string, string>();
  const states = await selectPairStates(tx, [...distinct.values()]);
  // Thousands of rows: let other requests run before each of the next steps.
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

export function nameKeyOf(book: PlayerBook, user_name: string): string {
  const key = book.nameKeys.get(user_name);
  if (key === undefined) {
    throw new Error("a name was not read into the book");
  }
  return key;
}
